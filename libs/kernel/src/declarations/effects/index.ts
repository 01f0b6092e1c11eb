import type { AreaName } from '../../area-names.ts';
import { ACHIEVEMENT_EFFECTS } from './achievement-effects.ts';
import type { AnyEffectKind } from './effect-kind.ts';
import { LEADERBOARD_EFFECTS } from './leaderboard-effects.ts';
import { POINTS_EFFECTS } from './points-effects.ts';
import { STREAK_EFFECTS } from './streak-effects.ts';
import { USER_EFFECTS } from './user-effects.ts';

/** The declared effects of each area, by type. */
export const EFFECTS = {
  users: USER_EFFECTS,
  streaks: STREAK_EFFECTS,
  achievements: ACHIEVEMENT_EFFECTS,
  points: POINTS_EFFECTS,
  leaderboards: LEADERBOARD_EFFECTS,
} satisfies { readonly [Area in AreaName]?: Readonly<Record<string, AnyEffectKind>> };

export type {
  EffectField,
  EffectFields,
  EffectValues,
  FieldValues,
  MetricTotal,
  MissingAmount,
  StreakAfter,
  ValueKind,
} from './effect-field.ts';
export type { AnyEffectKind, EffectNaming, Stability, StoredForm } from './effect-kind.ts';
