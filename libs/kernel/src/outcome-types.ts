import type { Effect } from './effects.ts';
import type { Configuration } from './configuration.ts';

/** What can be made known outside, by the names under which it is sent. */
export const OUTCOME_TYPES = [
  'achievement.completed',
  'emails.achievement_due',
  'streak.started',
  'streak.extended',
  'streak.lost',
  'streak.freeze_consumed',
  'streak.freeze_earned',
  'streak.at_risk',
  'emails.streak_reminder_due',
  'emails.recap_due',
  'emails.reactivation_due',
  'points.changed',
  'points.level_changed',
  'leaderboard.started',
  'leaderboard.finished',
  'leaderboard.rank_changed',
  'leaderboard.rank_lost',
  'leaderboard.changed',
  'user.created',
  'user.corrected',
  'user.erased',
  'configuration.published',
  'import.finished',
  'endpoint.disabled',
] as const;

export type OutcomeType = (typeof OUTCOME_TYPES)[number];

/** Second names for what has another one: made only where the configuration names them. */
const SECOND_NAMES: ReadonlySet<OutcomeType> = new Set(['emails.achievement_due', 'emails.streak_reminder_due']);

/** What `events: all` stands for when a version is published: the version names them. */
export const MADE_BY_ALL: readonly OutcomeType[] = OUTCOME_TYPES.filter((type) => !SECOND_NAMES.has(type));

/** What it stands for in versions that hold the word itself, from when versions did not name the types. Never another list. */
const MADE_BY_STORED_ALL: readonly OutcomeType[] = [
  'achievement.completed',
  'streak.started',
  'streak.extended',
  'streak.lost',
  'streak.freeze_consumed',
  'streak.freeze_earned',
  'streak.at_risk',
  'emails.recap_due',
  'emails.reactivation_due',
  'points.changed',
  'points.level_changed',
  'leaderboard.rank_changed',
  'leaderboard.rank_lost',
  'leaderboard.changed',
  'user.created',
  'user.corrected',
  'user.erased',
  'configuration.published',
  'import.finished',
  'endpoint.disabled',
];

/** The entries of `outgoing.events` in a version as it is stored. */
export const storedEntries = <Entry>(events: 'all' | readonly Entry[]): readonly (Entry | OutcomeType)[] =>
  events === 'all' ? MADE_BY_STORED_ALL : events;

/** These are made known whenever anything is, named or not: without them a copy of what was sent becomes wrong, and stays so. */
export const ALWAYS_MADE: readonly OutcomeType[] = ['user.corrected', 'user.erased'];

/** The types that a version makes. */
export const madeTypes = ({ outgoing }: Pick<Configuration, 'outgoing'>): ReadonlySet<OutcomeType> =>
  outgoing?.types ?? new Set(ALWAYS_MADE);

/**
 * The effects that outcomes of a type are made of: an event that has none of them makes no outcome of that type. Types that are not here
 * are made of the record itself.
 */
export const EFFECTS_OF_OUTCOMES: Readonly<Partial<Record<OutcomeType, readonly Effect['type'][]>>> = {
  'achievement.completed': ['AchievementCompleted'],
  'emails.achievement_due': ['AchievementCompleted'],
  'streak.started': ['StreakStarted'],
  'streak.extended': ['StreakExtended'],
  'streak.lost': ['StreakEnded'],
  'streak.freeze_consumed': ['FreezeUsed'],
  'streak.freeze_earned': ['FreezeEarned', 'FreezesGranted'],
  'streak.at_risk': ['StreakAtRisk'],
  'emails.streak_reminder_due': ['StreakAtRisk'],
  'emails.recap_due': ['RecapDue'],
  'emails.reactivation_due': ['ReactivationDue'],
  'points.changed': ['PointsAwarded'],
  'points.level_changed': ['LevelChanged'],
  'leaderboard.rank_changed': ['RankChanged'],
  'leaderboard.rank_lost': ['RankChanged'],
  'leaderboard.changed': ['RankChanged'],
  'user.created': ['UserCreated'],
};

/** Whether outcomes are made of what an event caused. @param asked the effects that the named types are made of */
export const makesOutcomes = (asked: ReadonlySet<Effect['type']>, emitted: readonly Effect[]): boolean =>
  emitted.some(({ type }) => asked.has(type));

/** A reminder that comes later than that is dropped (specification, section 9.21). */
export const LATEST_REMINDER_MS = 3_600_000;
