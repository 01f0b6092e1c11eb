import { decodeAchievementEffects } from '@laurel/achievements';
import type { Configuration, EffectsByArea } from '@laurel/contracts';
import { lastPointsEffects } from '@laurel/points';
import { decodeStreakEffects } from '@laurel/streaks';
import { decodeUserEffects } from '@laurel/users';

/** The columns of a row of `effects` that hold effects; null: the area caused nothing, or has not applied the event yet. */
export interface EffectsRow {
  readonly occurred_at: Date;
  readonly users: string | null;
  readonly streaks: string | null;
  readonly achievements: string | null;
  readonly points: string | null;
}

/** Effects on points of one event that are shown: it may have recorded tens of thousands of time awards. */
const POINTS_SHOWN = 100;

/** @param configuration the version under which the event was applied: it names what the row numbers */
export function effectsByArea(row: EffectsRow, { names }: Configuration): EffectsByArea {
  const event = { occurredAt: row.occurred_at.getTime() };
  const points = lastPointsEffects(row.points ?? '[]', event.occurredAt, names, POINTS_SHOWN);
  return {
    users: row.users === null ? [] : decodeUserEffects(row.users, event, names),
    streaks: row.streaks === null ? [] : decodeStreakEffects(row.streaks, event),
    achievements: row.achievements === null ? [] : decodeAchievementEffects(row.achievements, event, names),
    points: points.effects,
    pointsLeftOut: points.leftOut,
  };
}
