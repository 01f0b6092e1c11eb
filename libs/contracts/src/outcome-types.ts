/** What can be made known outside, by the names under which it is sent. */
export const OUTCOME_TYPES = [
  'achievement.completed',
  'streak.started',
  'streak.extended',
  'streak.lost',
  'streak.freeze_consumed',
  'streak.freeze_earned',
  'points.changed',
  'points.level_changed',
  'leaderboard.rank_changed',
  'user.created',
  'user.corrected',
  'user.erased',
  'configuration.published',
  'import.finished',
] as const;

export type OutcomeType = (typeof OUTCOME_TYPES)[number];

/** These are made known whenever anything is, named or not: without them a copy of what was sent becomes wrong, and stays so. */
export const ALWAYS_MADE: readonly OutcomeType[] = ['user.corrected', 'user.erased'];
