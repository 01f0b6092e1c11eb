import type { Amount } from '@laurel/amounts';
import type { Instant, LocalDate, Zone } from '@laurel/calendar';
import type {
  AchievementEffect,
  AchievementMissed,
  BoardRun,
  Boost,
  ConditionChecked,
  CorrectionRecorded,
  Effect,
  RecordedEvent,
  PointsEffect,
  StreakEffect,
  Subject,
  TriggerFired,
  TriggerMissed,
  TriggerPassedOver,
  UserEffect,
  RecordedUserEvent,
  UserRef,
} from '@laurel/kernel';

/** One firing of a points trigger, and its result. */
export interface ExplainedAward {
  /** The event, or the sweep, with which it was recorded. */
  readonly record: RecordedUserEvent;
  /** Its index among the firings of the record in this system, from 0. */
  readonly index: number;
  readonly triggerId: string;
  readonly type: TriggerFired['type'] | null;
  /** The instant of the event, or the instant at which the time award fell due. */
  readonly at: Instant;
  /** The date of `at`, and the user's clock then in force. */
  readonly date: LocalDate;
  readonly zone: string;
  /** How often the trigger fired, and the points without cuts; null if not computed. */
  readonly times: bigint | null;
  readonly nominal: bigint | null;
  /** Points given or taken; 0 if the cut left nothing. */
  readonly change: bigint;
  /** null if nothing cut it, or if not computed. */
  readonly cutBy: TriggerFired['cutBy'];
  /** What multiplied it; absent if nothing did. */
  readonly boosted?: ExplainedBoosts;
  /** The user's total after it. */
  readonly total: bigint;
}

export interface ExplainedBoosts {
  readonly boosts: readonly Boost[];
  /** `nominal` after them, before any cut; null if not computed. */
  readonly points: bigint | null;
}

/** A place in the explanation of points: entries before it are older. */
export interface AwardPlace {
  readonly position: number;
  readonly index: number;
  /** See {@link ExplainedPoints}. */
  readonly folded: boolean;
}

export interface ExplainedPoints {
  /** The recorded total: the sum of the changes of all entries, on all pages. */
  readonly recorded: bigint;
  /** Points that have fallen due since and are not recorded yet. */
  readonly due: bigint;
  /** What the user has earned, what is due included. */
  readonly earned: bigint;
  /** Whether the rules were applied again, event by event. If not, the user has too many events, and entries are the stored awards. */
  readonly folded: boolean;
  /** Whether the user's events are being applied in the background: a later answer is `folded`. */
  readonly preparing: boolean;
  /** Entries, newest first. */
  readonly entries: readonly ExplainedAward[];
  /** The place after the last entry; null if there are no more. */
  readonly next: AwardPlace | null;
}

/** A place in the explanation of a value on a leaderboard: entries before it are older. */
export interface ChangePlace {
  readonly position: number;
  /** Orders the changes of one event, see {@link RankChanged}. */
  readonly ordinal: number;
}

/** A change of a user's value in a run, and its cause. */
export interface ExplainedChange {
  /** The event, or the sweep, with which it was recorded. */
  readonly record: RecordedUserEvent;
  readonly at: Instant;
  /** The user's clock then in force. */
  readonly zone: string;
  readonly change: Amount;
  /** The value after the change. */
  readonly value: Amount;
  /** null if the user was not ranked. */
  readonly previousRank: number | null;
  readonly rank: number | null;
  /** The counted awards; null if the board ranks by something else, or if a correction set the value. */
  readonly awards: readonly Pick<ExplainedAward, 'triggerId' | 'type' | 'change'>[] | null;
}

export interface ExplainedChanges {
  /** Entries, newest first. */
  readonly entries: readonly ExplainedChange[];
  /** The place after the last entry; null if there are no more. */
  readonly next: ChangePlace | null;
}

/** The points that one event gave a user in a system, and why the other triggers of its version gave none. */
export interface ExplainedPointsOfEvent {
  readonly record: RecordedUserEvent;
  /** See {@link ExplainedPoints}. */
  readonly folded: boolean;
  readonly preparing: boolean;
  /** Triggers in the order in which they fired. */
  readonly fired: readonly ExplainedAward[];
  /** null if not computed. */
  readonly missed:
    | readonly (
        | (Omit<TriggerPassedOver, 'system'> & { readonly type: 'passed_over' })
        | (Omit<TriggerMissed, 'system'> & { readonly type: 'below_threshold' })
      )[]
    | null;
}

/** A recorded event and its effects. */
export interface ExplainedEvent {
  readonly record: RecordedEvent;
  /** null if it counts as it was recorded. */
  readonly corrected: CorrectionsOfEvent | null;
  /** How many users it concerns; 0 if it concerns the whole account. */
  readonly users: number;
  /**
   * The requested users in the order of the event, each with their effects by area and then ranks. A user whose areas have not applied the
   * event yet has no effects. For points see {@link EffectsByArea}.
   */
  readonly caused: readonly {
    readonly subject: Subject;
    readonly effects: readonly Effect[];
    readonly pointsLeftOut: number;
    /** Number of the user's further runs, after the first 50, whose rank changes were not looked up. */
    readonly runsLeftOut: number;
  }[];
  /** The index of the next user; null if there are no more. */
  readonly next: number | null;
}

/** The corrections of an event, combined. */
export interface CorrectionsOfEvent {
  readonly retracted: boolean;
  /** The value that counts instead, if it was amended. */
  readonly value?: Amount;
  readonly occurredAt?: Instant;
  readonly tz?: Zone;
  /** In the order of the log: for each of these fields, the latest correction that sets it. */
  readonly corrections: readonly RecordedEvent<CorrectionRecorded>[];
}

/** The effects of an event on one user by area, without ranks. Empty if there are none, or if not applied yet. */
export interface EffectsByArea {
  readonly users: readonly UserEffect[];
  readonly streaks: readonly StreakEffect[];
  readonly achievements: readonly AchievementEffect[];
  /** The last 100 effects; an event may have recorded tens of thousands of time awards. */
  readonly points: readonly PointsEffect[];
  /** Number of earlier effects that are left out. */
  readonly pointsLeftOut: number;
}

/** Events that concern a user, newest recorded first. */
export interface TimelinePage {
  readonly entries: readonly {
    readonly record: RecordedUserEvent;
    /** null if it counts as it was recorded. */
    readonly corrected: CorrectionsOfEvent | null;
    readonly effects: EffectsByArea;
  }[];
  /** The position of the last entry; null if there are no older events. */
  readonly next: number | null;
}

/** Whether an achievement is completed, or what is missing. */
export type ExplainedAchievement =
  | { readonly status: 'completed'; readonly at: Instant; readonly record: RecordedUserEvent }
  /** `missing` comes from the rules; null if only the API call is missing. */
  | (NotCompleted & {
      readonly status: 'open';
      readonly missing: Exclude<AchievementMissed['missing'], { readonly type: 'window' | 'user' }> | null;
    })
  /** The condition is met, but no event has come since that could complete it. */
  | (NotCompleted & { readonly status: 'met' })
  /** What it counts is reached, but the achievement is not active now. */
  | (NotCompleted & { readonly status: 'inactive' })
  /** What it counts is reached, but the user does not have the attributes that it requires. */
  | (NotCompleted & { readonly status: 'user_differs' });

interface NotCompleted {
  /** The event that revoked it since it was last completed; null if there is none. */
  readonly revokedBy: RecordedUserEvent | null;
}

export interface ExplainedPeriod {
  readonly start: LocalDate;
  readonly end: LocalDate;
  /** `open`: current, and not met yet. `skipped`: a change of the user's clock skipped it, or cut it short. `excused`: by hand. */
  readonly status: 'met' | 'bridged' | 'skipped' | 'excused' | 'missed' | 'open';
  /** The streak's length in this period; 0 unless the period was kept. */
  readonly length: number;
  /** When it was met, or a freeze was used; null if neither, or if not computed. */
  readonly at: Instant | null;
  /** The event that met it; null if none did, or if not computed. */
  readonly eventId: string | null;
  /** The conditions after the period's last metric event, under the version of that event; null if not computed. */
  readonly conditions: readonly Pick<ConditionChecked, 'metric' | 'progress' | 'threshold'>[] | null;
}

export interface ExplainedStreak {
  /** See {@link ExplainedPoints}. */
  readonly folded: boolean;
  readonly preparing: boolean;
  /** Periods, newest first. */
  readonly periods: readonly ExplainedPeriod[];
  /** When streaks of the present definition ended, newest first; null if not computed. */
  readonly ends: readonly { readonly at: Instant; readonly length: number; readonly zone: string }[] | null;
}

/** From `at` on, the user's dates follow the clock of `to`. */
export interface ZoneChange {
  readonly at: Instant;
  readonly from: Zone;
  readonly to: Zone;
}

/** Explains numbers. The rules themselves provide the explanations, so nothing is computed in a second way. */
export interface ExplainReads {
  /**
   * At most `limit` entries of a known user, the newest or those before a place. A user with up to 500 events is folded for each answer
   * (ADR 0030), one with up to 250,000 once in the background; until then, and beyond, the entries are stored awards.
   * @returns null if `before` belongs to a folded user, and the user is no longer folded
   */
  points(
    user: UserRef,
    system: string,
    at: Instant,
    page: { readonly before: AwardPlace | null; readonly limit: number },
  ): Promise<ExplainedPoints | null>;
  /**
   * Why an event gave a known user so many points in a system of the version in force, or none.
   * @param eventId a UUID. @returns null if no event of that user has this id
   */
  pointsOfEvent(user: UserRef, system: string, at: Instant, eventId: string): Promise<ExplainedPointsOfEvent | null>;
  /** Reads the stored state of a known user, for an achievement of the version in force. A constant number of statements. */
  achievement(account: string, subject: Subject, achievement: string, at: Instant): Promise<ExplainedAchievement>;
  /**
   * The periods that end with the one holding `date` (null for the current one), from the user's creation or first kept period on,
   * whichever is earlier. Empty without a streak configured.
   */
  streak(
    account: string,
    subject: Subject,
    at: Instant,
    asked: { readonly date: LocalDate | null; readonly periods: number },
  ): Promise<ExplainedStreak>;
  /**
   * The changes of a user's value in a run of a board of the version in force: at most `limit`, the newest or those before a place. A
   * constant number of statements.
   */
  changes(
    user: UserRef,
    board: string,
    run: BoardRun,
    page: { readonly before: ChangePlace | null; readonly limit: number },
  ): Promise<ExplainedChanges>;
  /** Changes of a user's clock since the user's creation: newest first, at most `limit`, in one statement. */
  zoneChanges(subject: Subject, limit: number): Promise<readonly ZoneChange[]>;
  /**
   * The event with its effects on at most `limit` of its users, from index `from` on. A constant number of statements.
   * @param eventId a UUID. @returns null if the account has no such event
   */
  event(
    account: string,
    eventId: string,
    asked: { readonly from: number; readonly limit: number },
  ): Promise<ExplainedEvent | null>;
  /**
   * The events that name the user and the sweeps that settled the user, newest recorded first, with their effects on
   * the user. A constant number of statements. Empty for a user without any recorded event.
   * @param page at most `limit` events before position `before`; null for the newest
   */
  timeline(
    account: string,
    subject: Subject,
    page: { readonly before: number | null; readonly limit: number },
  ): Promise<TimelinePage>;
}
