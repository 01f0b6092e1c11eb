import type { Exact } from '@laurel/amounts';
import type { Day, Instant, Zone } from '@laurel/calendar';

/**
 * What a recorded event causes, one union per area, in the order in which it happens. Effects are stored to be read and never
 * applied again: they follow from the recorded events, and a rebuild makes them once more.
 */
export type Effect = UserEffect | StreakEffect | AchievementEffect | PointsEffect | LeaderboardEffect;

export type UserEffect =
  UserCreated | UserForgotten | ZoneChanged | UserBecameActive | MetricTotalChanged | RecapDue | ReactivationDue;

export interface UserCreated {
  readonly type: 'UserCreated';
  readonly at: Instant;
}

/** Nobody knows any more who the user is, and they are counted among users no more. */
export interface UserForgotten {
  readonly type: 'UserForgotten';
}

export interface ZoneChanged {
  readonly type: 'ZoneChanged';
  readonly from: Zone;
  readonly to: Zone;
}

/** The user's first metric event on a day that is later than every day of their metric events before. */
export interface UserBecameActive {
  readonly type: 'UserBecameActive';
  /** On the user's clock. */
  readonly day: Day;
}

/** Emitted for a value other than 0. */
export interface MetricTotalChanged {
  readonly type: 'MetricTotalChanged';
  readonly metric: string;
  /** Millionths, as all amounts here. */
  readonly change: Exact;
  readonly total: Exact;
  /** The event's day on the user's clock. */
  readonly day: Day;
}

/** The time has come to tell the user what they did in a week. Only if the configuration names it, and within an hour of that time. */
export interface RecapDue {
  readonly type: 'RecapDue';
  readonly at: Instant;
  /** First and last day of the week, which ends with the day before. */
  readonly periodStart: Day;
  readonly periodEnd: Day;
  /** What the values of the events of these days come to, in millionths, by key; a metric without an event is absent. */
  readonly totals: readonly { readonly metric: string; readonly total: Exact }[];
}

/** Nothing was reported of the user for so many days. Only if the configuration names it, and within an hour of that time. */
export interface ReactivationDue {
  readonly type: 'ReactivationDue';
  readonly at: Instant;
  /** 1: the first since the last metric event. */
  readonly message: number;
  /** Days of 24 hours since that event. */
  readonly days: number;
}

export type StreakEffect =
  | StreakStarted
  | StreakExtended
  | StreakRevived
  | StreakEnded
  | FreezeEarned
  | FreezesGranted
  | FreezeUsed
  | PeriodSkipped
  | PeriodExcused
  | StreakRejoined
  | StreakAtRisk;

/**
 * The time has come to remind the user of a period that is not met yet: emitted once for a period, if the configuration names a type of
 * it, and only within an hour of that time.
 */
export interface StreakAtRisk {
  readonly type: 'StreakAtRisk';
  /** When the reminder fell due, at or before the event. */
  readonly at: Instant;
  /** First day of the period in which the user is. */
  readonly period: Day;
  readonly length: number;
  /** The user's day of the extension that began the streak. */
  readonly startedOn: Day;
  readonly extendedAt: Instant;
  /** The instant at which the streak ends, or a freeze is used. */
  readonly expiresAt: Instant;
  /** The last day on which the period can be met. */
  readonly expiresOn: Day;
  /** Freezes held. */
  readonly held: number;
  /** What each condition lacks in the period, in millionths; 0: it is met. In the order of the configuration. */
  readonly missing: readonly { readonly metric: string; readonly amount: Exact }[];
}

/** A streak as an event left it. */
export interface StreakAfter {
  /** The user's day of the extension that began it. */
  readonly startedOn: Day;
  /** The last day, on the user's clock, on which it is alive. */
  readonly expiresOn: Day;
  /** Freezes held. */
  readonly held: number;
}

/** The first period of a new streak was met. */
export interface StreakStarted {
  readonly type: 'StreakStarted';
  readonly at: Instant;
  readonly length: 1;
  /** First day of the period. */
  readonly period: Day;
  /** Only if the configuration names a type of outcome that tells it. */
  readonly after?: StreakAfter;
}

export interface StreakExtended {
  readonly type: 'StreakExtended';
  readonly at: Instant;
  readonly length: number;
  readonly period: Day;
  /** As in {@link StreakStarted}. */
  readonly after?: StreakAfter;
}

/** A streak that had ended lives again: a change of zone moved its end beyond the present, or it was restored or excused by hand. */
export interface StreakRevived {
  readonly type: 'StreakRevived';
  readonly at: Instant;
  readonly length: number;
}

export interface StreakEnded {
  readonly type: 'StreakEnded';
  /** The instant at which it ended, at or before the event. */
  readonly at: Instant;
  /** The length that it had. */
  readonly length: number;
  /** Of the definition that it was kept under, which a published version may have replaced. */
  readonly generation: number;
  /** It would have gone on, but the user was erased. */
  readonly byErasure?: true;
}

export interface FreezeEarned {
  readonly type: 'FreezeEarned';
  readonly earned: number;
  /** Held with these. */
  readonly held: number;
  /** When the last of these was earned. Only if the configuration names the type of outcome that tells it. */
  readonly earnedAt?: Instant;
}

/** Freezes were given by hand, came back because the days on which they were used were excused, or a correction changed how many are held. */
export interface FreezesGranted {
  readonly type: 'FreezesGranted';
  /** Negative: a correction took them. */
  readonly granted: number;
  /** Held with these. */
  readonly held: number;
}

/** A freeze bridged a period that was not met. */
export interface FreezeUsed {
  readonly type: 'FreezeUsed';
  /** The instant at which the streak would have ended. */
  readonly at: Instant;
  readonly period: Day;
  readonly length: number;
  /** Held without it. Only if the configuration names a type of outcome that tells it. */
  readonly held?: number;
}

/** A change of the user's clock skipped the period, or cut it short, so it counts as kept. */
export interface PeriodSkipped {
  readonly type: 'PeriodSkipped';
  readonly period: Day;
  readonly length: number;
}

/** Every date of the period was excused by hand, so it counts as kept. */
export interface PeriodExcused {
  readonly type: 'PeriodExcused';
  readonly period: Day;
  readonly length: number;
}

/** The end of a former streak was excused, and it goes on as the present one. */
export interface StreakRejoined {
  readonly type: 'StreakRejoined';
  readonly at: Instant;
  /** Of both. */
  readonly length: number;
  /** That the former one had. */
  readonly joined: number;
}

export type AchievementEffect = AchievementCompleted | AchievementRevoked;

export interface AchievementCompleted {
  readonly type: 'AchievementCompleted';
  readonly achievement: string;
  readonly at: Instant;
}

/** The completion was taken back by hand. */
export interface AchievementRevoked {
  readonly type: 'AchievementRevoked';
  readonly achievement: string;
  readonly at: Instant;
}

export type PointsEffect = PointsAwarded | LevelChanged;

/** What stands in the place of a trigger's id where a grant gave the points. */
export const GRANT_TRIGGER = 'grant';
/** What stands there where a correction gave or took them. */
export const CORRECTION_TRIGGER = 'correction';

export interface PointsAwarded {
  readonly type: 'PointsAwarded';
  readonly system: string;
  /** {@link GRANT_TRIGGER}: a grant gave them; {@link CORRECTION_TRIGGER}: a correction. */
  readonly triggerId: string;
  /** What was given, or taken if negative, after the cut to the room there was; never 0. Whole points. */
  readonly awarded: Exact;
  /** The user's total after it. */
  readonly total: Exact;
  readonly at: Instant;
  /** The day of `at` on the user's clock then in force. */
  readonly day: Day;
  /** True for a time award that fell due at or before the event, false for what the event itself caused. */
  readonly due: boolean;
}

export interface LevelChanged {
  readonly type: 'LevelChanged';
  readonly system: string;
  /** Keys of the levels; null: below all of them. */
  readonly from: string | null;
  readonly to: string | null;
  /** True if due time awards changed it, false if the event itself did. */
  readonly due: boolean;
}

export type LeaderboardEffect = RankChanged;

/** The user's own value in a run changed; the rank may be the same. */
export interface RankChanged {
  readonly type: 'RankChanged';
  readonly board: string;
  /** First day of the run. */
  readonly run: Day;
  readonly at: Instant;
  /** The place of its cause among the causes of the event: orders what happened at one position. */
  readonly ordinal: number;
  /** Exact, directly before and after; null: not ranked. */
  readonly previousRank: number | null;
  readonly rank: number | null;
  /** How many users had a value above 0 in the run directly after; null: a release that did not count them stored it. */
  readonly participants: number | null;
  /** null: the user had no value in this run. */
  readonly previousValue: Exact | null;
  readonly value: Exact;
  /** True for what fell due before the event: others saw it as happening directly before. */
  readonly due: boolean;
}

/** The effects of one type, in order. */
export const effectsOfType = <Type extends Effect['type']>(effects: readonly Effect[], type: Type) =>
  effects.filter((effect): effect is Extract<Effect, { readonly type: Type }> => effect.type === type);
