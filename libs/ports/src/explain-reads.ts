import type { Amount } from '@laurel/amounts';
import type { Instant, LocalDate, Zone } from '@laurel/calendar';
import type {
  AchievementEffect,
  AchievementMissed,
  BoardRun,
  ConditionChecked,
  CorrectionRecorded,
  Effect,
  LogRecord,
  PointsEffect,
  StreakEffect,
  Subject,
  TriggerFired,
  TriggerMissed,
  TriggerPassedOver,
  UserEffect,
  UserRecord,
} from '@laurel/kernel';

/** One firing of a points trigger, and what came of it. */
export interface ExplainedAward {
  /** The event, or the sweep, with which it was recorded. */
  readonly record: UserRecord;
  /** Its place among those of the record in this system, from 0. */
  readonly index: number;
  readonly triggerId: string;
  readonly type: TriggerFired['type'] | null;
  /** Of the event, or at which the time award fell due. */
  readonly at: Instant;
  /** The date of `at` on the user's clock then in force, and that clock. */
  readonly date: LocalDate;
  readonly zone: string;
  /** How often it fired, and that × points; null: not worked out. */
  readonly times: bigint | null;
  readonly nominal: bigint | null;
  /** What was given or taken; 0: the cut left nothing. */
  readonly change: bigint;
  /** null: nothing cut it, or it was not worked out. */
  readonly cutBy: TriggerFired['cutBy'];
  /** The user's total after it. */
  readonly total: bigint;
}

/** A place in the explanation of points: entries before it are older. */
export interface AwardPlace {
  readonly position: number;
  readonly index: number;
  /** As in {@link ExplainedPoints}. */
  readonly folded: boolean;
}

export interface ExplainedPoints {
  /** As recorded: the sum of the changes of all entries, on all pages. */
  readonly recorded: bigint;
  /** What has fallen due since and is not recorded yet. */
  readonly due: bigint;
  /** The rules were asked again, event by event; false: the user has too many events, and entries are the stored awards. */
  readonly folded: boolean;
  /** The user's events are applied in the background: a later answer is `folded`. */
  readonly preparing: boolean;
  /** Newest first. */
  readonly entries: readonly ExplainedAward[];
  /** Behind the last entry; null: there are no more. */
  readonly next: AwardPlace | null;
}

/** A place in the explanation of a value on a leaderboard: entries before it are older. */
export interface ChangePlace {
  readonly position: number;
  /** Among what the event changed, see {@link RankChanged}. */
  readonly ordinal: number;
}

/** A change of a user's value in a run, and what made it. */
export interface ExplainedChange {
  /** The event, or the sweep, with which it was recorded. */
  readonly record: UserRecord;
  readonly at: Instant;
  /** The user's clock then in force. */
  readonly zone: string;
  readonly change: Amount;
  /** After it. */
  readonly value: Amount;
  /** null: not ranked. */
  readonly previousRank: number | null;
  readonly rank: number | null;
  /** The awards that were counted; null: the board ranks by something else, or a correction put the value there. */
  readonly awards: readonly Pick<ExplainedAward, 'triggerId' | 'type' | 'change'>[] | null;
}

export interface ExplainedChanges {
  /** Newest first. */
  readonly entries: readonly ExplainedChange[];
  /** Behind the last entry; null: there are no more. */
  readonly next: ChangePlace | null;
}

/** What one event gave a user in a system, and why the other triggers of its version gave nothing. */
export interface ExplainedPointsOfEvent {
  readonly record: UserRecord;
  /** See {@link ExplainedPoints}. */
  readonly folded: boolean;
  readonly preparing: boolean;
  /** In the order in which they were given. */
  readonly fired: readonly ExplainedAward[];
  /** null: not worked out. */
  readonly missed:
    | readonly (
        | (Omit<TriggerPassedOver, 'system'> & { readonly type: 'passed_over' })
        | (Omit<TriggerMissed, 'system'> & { readonly type: 'below_threshold' })
      )[]
    | null;
}

/** A recorded event, and what it caused. */
export interface ExplainedEvent {
  readonly record: LogRecord;
  /** null: it counts as it was recorded. */
  readonly corrected: CorrectionsOfEvent | null;
  /** How many users it concerns; 0: it is the account's. */
  readonly users: number;
  /**
   * Those asked for, in the order of the event, each with their effects by area and then ranks. Of a user whose areas have not applied it
   * yet: no effects. Of points see {@link EffectsByArea}.
   */
  readonly caused: readonly {
    readonly subject: Subject;
    readonly effects: readonly Effect[];
    readonly pointsLeftOut: number;
    /** Runs in which it may have changed a rank that was not looked for: those of a user behind the first 50. */
    readonly runsLeftOut: number;
  }[];
  /** The place of the user who follows; null: there are no more. */
  readonly next: number | null;
}

/** What corrections have made of an event. */
export interface CorrectionsOfEvent {
  readonly retracted: boolean;
  /** What counts in place of what was recorded, if an amendment says so. */
  readonly value?: Amount;
  readonly occurredAt?: Instant;
  readonly tz?: Zone;
  /** Those that say so, in the order of the log: each the latest that sets one of these. */
  readonly corrections: readonly LogRecord<CorrectionRecorded>[];
}

/** What an event caused for one user, by the area that says so; ranks are not among it. Empty: nothing, or not applied yet. */
export interface EffectsByArea {
  readonly users: readonly UserEffect[];
  readonly streaks: readonly StreakEffect[];
  readonly achievements: readonly AchievementEffect[];
  /** The last 100; an event may have recorded tens of thousands of time awards. */
  readonly points: readonly PointsEffect[];
  /** How many come before those. */
  readonly pointsLeftOut: number;
}

/** Events that concern a user, newest recorded first. */
export interface TimelinePage {
  readonly entries: readonly {
    readonly record: UserRecord;
    /** null: it counts as it was recorded. */
    readonly corrected: CorrectionsOfEvent | null;
    readonly effects: EffectsByArea;
  }[];
  /** The position of the last entry; null: there are no older events. */
  readonly next: number | null;
}

/** Whether an achievement is complete, or what is missing. */
export type ExplainedAchievement =
  | { readonly status: 'completed'; readonly at: Instant; readonly record: UserRecord }
  /** As the rules say it; null: nothing but the call is missing. */
  | (NotCompleted & { readonly status: 'open'; readonly missing: AchievementMissed['missing'] | null })
  /** The condition is met, but no event has come since that could complete it. */
  | (NotCompleted & { readonly status: 'met' });

interface NotCompleted {
  /** The event that took it back; null: none has, since it was last completed. */
  readonly revokedBy: UserRecord | null;
}

export interface ExplainedPeriod {
  readonly start: LocalDate;
  readonly end: LocalDate;
  /** `open`: it is the current one, and not met yet. `skipped`: a change of the user's clock skipped it, or cut it short. `excused`: by hand. */
  readonly status: 'met' | 'bridged' | 'skipped' | 'excused' | 'missed' | 'open';
  /** The streak's length as of it; 0 unless it was kept. */
  readonly length: number;
  /** When it was met, or a freeze was used; null: neither, or not worked out. */
  readonly at: Instant | null;
  /** The event that met it; null: none did, or not worked out. */
  readonly eventId: string | null;
  /** As of its last metric event, under the version of that event; null: not worked out. */
  readonly conditions: readonly Pick<ConditionChecked, 'metric' | 'progress' | 'threshold'>[] | null;
}

export interface ExplainedStreak {
  /** See {@link ExplainedPoints}. */
  readonly folded: boolean;
  readonly preparing: boolean;
  /** Newest first. */
  readonly periods: readonly ExplainedPeriod[];
  /** When streaks of the present definition ended, newest first; null: not worked out. */
  readonly ends: readonly { readonly at: Instant; readonly length: number; readonly zone: string }[] | null;
}

/** From `at` on, a user's dates are those of the clock of `to`. */
export interface ZoneChange {
  readonly at: Instant;
  readonly from: Zone;
  readonly to: Zone;
}

/** Why numbers are what they are. What the rules say is said by the rules: nothing is worked out a second way. */
export interface ExplainReads {
  /**
   * At most `limit` entries of a known user, the newest or those before a place. Up to 500 events the user is folded for each answer (ADR
   * 0030), up to 250,000 once in the background; until then, and beyond, stored awards are shown.
   * @returns null if `before` is of a folded user, and the user is not folded any more
   */
  points(
    account: string,
    subject: Subject,
    system: string,
    at: Instant,
    page: { readonly before: AwardPlace | null; readonly limit: number },
  ): Promise<ExplainedPoints | null>;
  /**
   * Why an event gave a known user so many points in a system of the version in force, or none.
   * @param eventId a UUID. @returns null: no event of that user has this id
   */
  pointsOfEvent(
    account: string,
    subject: Subject,
    system: string,
    at: Instant,
    eventId: string,
  ): Promise<ExplainedPointsOfEvent | null>;
  /** By the stored state of a known user: an achievement of the version in force. A constant number of statements. */
  achievement(account: string, subject: Subject, achievement: string, at: Instant): Promise<ExplainedAchievement>;
  /**
   * That many periods ending with the one that holds `date` (null: the current one), but none before the user was created, or, if
   * that is earlier, before the first period that the user kept. Empty without a streak configured.
   */
  streak(
    account: string,
    subject: Subject,
    at: Instant,
    asked: { readonly date: LocalDate | null; readonly periods: number },
  ): Promise<ExplainedStreak>;
  /**
   * What led to a user's value in a run of a board of the version in force: at most `limit` changes, the newest or those before a place. A
   * constant number of statements, however many there are.
   */
  changes(
    account: string,
    subject: Subject,
    board: string,
    run: BoardRun,
    page: { readonly before: ChangePlace | null; readonly limit: number },
  ): Promise<ExplainedChanges>;
  /** How the clock of a user changed since they were created: newest first, at most `limit`, in one statement. */
  zoneChanges(subject: Subject, limit: number): Promise<readonly ZoneChange[]>;
  /**
   * With what it caused for at most `limit` of the users whom it concerns, by their places in the event: from `from` on. A constant number of
   * statements.
   * @param eventId a UUID. @returns null: the account has no such event
   */
  event(
    account: string,
    eventId: string,
    asked: { readonly from: number; readonly limit: number },
  ): Promise<ExplainedEvent | null>;
  /**
   * The events that name the user and the sweeps that settled them, newest recorded first, with what each caused for them. A constant number
   * of statements, however many events there are. Empty for a user of whom nothing is recorded.
   * @param page at most `limit` events below position `before`; null: from the newest on
   */
  timeline(
    account: string,
    subject: Subject,
    page: { readonly before: number | null; readonly limit: number },
  ): Promise<TimelinePage>;
}
