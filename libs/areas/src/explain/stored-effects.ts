import { decodeAchievementEffects } from '@laurel/achievements';
import type { Configuration, Effect, EffectsByArea } from '@laurel/contracts';
import { decodePointsEffects } from '@laurel/points';
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

/** @param configuration the version under which the event was applied: it names what the row numbers */
export function effectsByArea(row: EffectsRow, { names }: Configuration): EffectsByArea {
  const event = { occurredAt: row.occurred_at.getTime() };
  return {
    users: row.users === null ? [] : decodeUserEffects(row.users, event, names),
    streaks: row.streaks === null ? [] : decodeStreakEffects(row.streaks, event),
    achievements: row.achievements === null ? [] : decodeAchievementEffects(row.achievements, event, names),
    points: row.points === null ? [] : decodePointsEffects(row.points, event.occurredAt, names),
  };
}

/** Those of all areas, in the order in which the areas apply an event. */
export function effectsIn(row: EffectsRow, configuration: Configuration): readonly Effect[] {
  const { users, streaks, achievements, points } = effectsByArea(row, configuration);
  return [...users, ...streaks, ...achievements, ...points];
}
