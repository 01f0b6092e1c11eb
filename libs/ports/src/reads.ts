import type { Amount } from '@laurel/amounts';
import type { DateRange, Instant, LocalDate, PeriodRule, Zone } from '@laurel/calendar';
import type {
  AchievementEffect,
  AchievementMissed,
  BoardRanking,
  BoardRun,
  ConditionChecked,
  CorrectionRecorded,
  Effect,
  LogRecord,
  PointsEffect,
  PointsLevel,
  PointsRange,
  StreakEffect,
  StreakView,
  Subject,
  TriggerFired,
  TriggerMissed,
  TriggerPassedOver,
  UserEffect,
  UserRecord,
} from '@laurel/kernel';
import type { Profile } from '@laurel/profile';

/** The read side of each area. All reads show committed state; time-dependent state is read as of the instant `at`. */

export interface UserProfile extends DatedProfile {
  /** By metric key; a metric without an event is absent. */
  readonly totals: ReadonlyMap<string, Amount>;
}

export interface DatedProfile extends Profile {
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** One period of the summary of a user's metric. */
export interface MetricBucket {
  /** First date of the bucket, not before the first date asked for. */
  readonly date: LocalDate;
  readonly total: Amount;
  readonly change: Amount;
}

/** What happened on a day, by the date on each user's clock. */
export interface UserDayCounts {
  readonly date: LocalDate;
  readonly newUsers: number;
  /** Users who had a metric event on it; one that came when a later day of theirs had been active does not count. */
  readonly activeUsers: number;
}

export interface MetricDayCounts {
  readonly metric: string;
  readonly date: LocalDate;
  /** Metric events, also those of value 0. */
  readonly events: number;
  /** The sum of their values, exact. */
  readonly total: Amount;
}

export interface UserReads {
  find(account: string, subject: Subject): Promise<UserProfile | null>;
  /** Those of the users that are known, in one statement. */
  profiles(account: string, subjects: readonly Subject[]): Promise<ReadonlyMap<Subject, UserProfile>>;
  /** Names of those users that have one. */
  names(account: string, subjects: readonly Subject[]): Promise<ReadonlyMap<Subject, string>>;
  /** Users known to the account. */
  count(account: string): Promise<number>;
  /** By date ascending; a day on which nothing happened is absent. */
  dayCounts(account: string, range: DateRange): Promise<readonly UserDayCounts[]>;
  /** Of these metrics, by date ascending, in one statement; a day without an event is absent. */
  metricDayCounts(account: string, metrics: readonly string[], range: DateRange): Promise<readonly MetricDayCounts[]>;
  /** A bucket for every period of `rule` that the range touches, by date ascending; an unknown user's are all 0. */
  metricSummary(
    account: string,
    subject: Subject,
    metric: string,
    query: DateRange & { readonly rule: PeriodRule },
  ): Promise<readonly MetricBucket[]>;
}

/** Who is looked for: by e-mail, or by the beginning of the name or of a word in it. */
export interface UserSearchQuery {
  readonly kind: 'email' | 'name';
  readonly text: string;
}

/** A user, and under what they were found. */
export interface FoundUser {
  readonly term: string;
  readonly subject: Subject;
}

export type UserSearchAnswer =
  /** There is no index. */
  | { readonly state: 'off' }
  /** Not everybody is in it yet; so many are. */
  | { readonly state: 'building'; readonly users: number }
  | { readonly state: 'ready'; readonly found: readonly FoundUser[] };

export interface UserSearch {
  /** Without regard to case and accents, at most `limit` behind `after`, in the order of what was found and then of subjects. */
  search(account: string, query: UserSearchQuery, after: FoundUser | null, limit: number): Promise<UserSearchAnswer>;
}

export interface StreakPeriod {
  readonly periodStart: LocalDate;
  readonly periodEnd: LocalDate;
  /** 0 for a period without streak. */
  readonly length: number;
  readonly usedFreeze: boolean;
}

interface StreakLengthCounts {
  readonly length: number;
  /** Streaks that reached this length. */
  readonly reached: number;
  /** Streaks that ended at it, those that were revived since aside. */
  readonly ended: number;
}

export interface StreakSurvival {
  /** By length ascending, those that nothing reached left out. */
  readonly lengths: readonly StreakLengthCounts[];
  /** The longest that any streak reached; 0: there was none. */
  readonly longest: number;
}

export type StreakLength = Pick<StreakView, 'length' | 'extendedAt'>;

export interface StreakReads {
  /** The streak as it reads at `at`. The user must be known. */
  view(account: string, subject: Subject, at: Instant): Promise<StreakView>;
  /** Lengths as they read at `at`, in one statement however many users are asked for. Absent: no streak was ever kept of the user. */
  lengths(account: string, subjects: readonly Subject[], at: Instant): Promise<ReadonlyMap<Subject, StreakLength>>;
  /** That many periods ending with the current one, oldest first; empty without a streak configured. */
  history(account: string, subject: Subject, at: Instant, periods: number): Promise<readonly StreakPeriod[]>;
  /**
   * How many streaks reached each length up to `most`, and ended at it, in periods of the frequency that is configured; nothing without
   * a streak configured. An end counts once an event of the user or a sweep has announced it.
   */
  survival(account: string, most: number): Promise<StreakSurvival>;
}

/** That a user completed an achievement. */
export interface Completion {
  readonly subject: Subject;
  readonly achievedAt: Instant;
}

/** That a user is on a level. */
export interface LevelReached {
  readonly subject: Subject;
  readonly reachedAt: Instant;
}

export interface AchievementReads {
  /** Completions of the user: achievement key → instant. */
  completedBy(account: string, subject: Subject): Promise<ReadonlyMap<string, Instant>>;
  /** How many users completed each: achievement key → count; absent: none. */
  counts(account: string): Promise<ReadonlyMap<string, number>>;
}

export interface StoredAward {
  /** null for a due time award: the reader derives its id. */
  readonly id: string | null;
  readonly triggerId: string;
  readonly awarded: bigint;
  readonly total: bigint;
  readonly at: Instant;
}

export interface PointsBucket {
  /** First date of the bucket, not before the first date asked for. */
  readonly date: LocalDate;
  readonly total: bigint;
  readonly change: bigint;
}

export interface PointsDayCounts {
  readonly system: string;
  /** The date of each award on its user's clock. */
  readonly date: LocalDate;
  readonly awarded: bigint;
  /** What negative awards took, as a positive number. */
  readonly consumed: bigint;
}

export interface LevelUsers {
  readonly level: PointsLevel;
  /** Number of users at this level. */
  readonly users: number;
}

export interface PointsReads {
  /** Total at `at`, due time awards included whether or not they are recorded yet. */
  total(account: string, subject: Subject, system: string, at: Instant): Promise<bigint>;
  /** The newest `limit` awards, newest recorded first; due ones included. */
  awards(
    account: string,
    subject: Subject,
    system: string,
    at: Instant,
    limit: number,
  ): Promise<readonly StoredAward[]>;
  /** A bucket for every period from `from` to `to` (inclusive), by date ascending. */
  summary(
    account: string,
    subject: Subject,
    system: string,
    at: Instant,
    query: { readonly aggregation: 'daily' | 'weekly' | 'monthly'; readonly from: LocalDate; readonly to: LocalDate },
  ): Promise<readonly PointsBucket[]>;
  /** What all users were given and lost in these systems, by date ascending, in one statement; a day without an award is absent. */
  dayCounts(account: string, systems: readonly string[], range: DateRange): Promise<readonly PointsDayCounts[]>;
  /**
   * Users at each level of the system, by points ascending. By totals as recorded, as in {@link usersByRange}: time awards
   * that fell due since count once a record or a sweep has given them.
   */
  usersByLevel(account: string, system: string): Promise<readonly LevelUsers[]>;
  /**
   * All users of the account by total: 0–0, then ten equal ranges from 1 to the highest total rounded up to a power of ten,
   * at least 10.
   */
  usersByRange(account: string, system: string): Promise<readonly PointsRange[]>;
}

export interface CountedRun extends BoardRun {
  /** Users with a value above 0. */
  readonly participants: number;
  /** Whether every clock has left its last date. */
  readonly isFinal: boolean;
  /** See {@link LeaderboardReads.changedAt}. */
  readonly changedAt: Instant | null;
}

export interface BoardHistoryEntry {
  readonly at: Instant;
  readonly previousRank: number | null;
  readonly rank: number | null;
  readonly previousValue: Amount | null;
  readonly value: Amount;
}

export interface LeaderboardReads {
  status(account: string, board: string, at: Instant): 'scheduled' | 'active' | 'finished';
  /**
   * The run that holds `date`; null outside of the board's dates. Without `date`: the run of the current UTC date at `at`;
   * of a finished board the last run; of a scheduled one null.
   */
  run(account: string, board: string, at: Instant, date: LocalDate | null): BoardRun | null;
  /**
   * The runs that have begun on some clock, newest first, at most `limit`; only those that start before `before` (null: all). They are
   * those of the board's present dates, also if nobody has a value. One statement.
   */
  runs(
    account: string,
    board: string,
    at: Instant,
    before: LocalDate | null,
    limit: number,
  ): Promise<readonly CountedRun[]>;
  /** When the newest change was recorded that the run saw after it was final; null: none did. */
  changedAt(account: string, board: string, run: BoardRun): Promise<Instant | null>;
  /** Ranked rows from place `offset` (0 is the top) on, at most `limit`; never beyond the board's maxParticipants. */
  rankings(
    account: string,
    board: string,
    run: BoardRun,
    offset: number,
    limit: number,
  ): Promise<readonly BoardRanking[]>;
  /** rank null: not ranked; value null: the user has none in that run. */
  standing(
    account: string,
    board: string,
    run: BoardRun,
    subject: Subject,
  ): Promise<{ readonly rank: number | null; readonly value: Amount | null }>;
  /** The newest `limit` entries, oldest first. */
  history(
    account: string,
    board: string,
    run: BoardRun,
    subject: Subject,
    limit: number,
  ): Promise<readonly BoardHistoryEntry[]>;
}

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

/** An event of a user as those see it who watch the account. */
export interface LiveEntry {
  /** null: the user has been erased. */
  readonly userId: string | null;
  readonly record: UserRecord;
  readonly effects: EffectsByArea;
}

/** What is recorded of the users of an account, as it comes. Sweeps are left out, and so is what concerns no user. */
export interface LiveReads {
  /**
   * Up to this position, what the events caused can be read. Where an area has halted it holds nothing back.
   * @throws StoreUnavailableError
   */
  applied(): Promise<number>;
  /** Of the newest record, which may not be applied yet. @throws StoreUnavailableError */
  head(): Promise<number>;
  /**
   * The events of users behind `after`, in order, out of at most `limit` records of the log.
   * @returns `position`: all up to it were looked at, none behind {@link applied}
   * @throws StoreUnavailableError
   */
  behind(
    account: string,
    after: number,
    limit: number,
  ): Promise<{ readonly records: readonly UserRecord[]; readonly position: number }>;
  /**
   * The newest events of users behind `after`, in order, at most `limit`, and how many are `skipped` before them.
   * @returns `position`: of {@link applied}, unless `after` lies behind it
   * @throws StoreUnavailableError
   */
  newest(
    account: string,
    after: number,
    limit: number,
  ): Promise<{ readonly records: readonly UserRecord[]; readonly skipped: number; readonly position: number }>;
  /** How many records lie behind `after`, up to and including `upTo`; `most` if there are more. @throws StoreUnavailableError */
  count(after: number, upTo: number, most: number): Promise<number>;
  /** The position behind which so many records lie, up to and including `upTo`; 0 if there are not as many. @throws StoreUnavailableError */
  before(upTo: number, records: number): Promise<number>;
  /** What each caused, in a constant number of statements however many there are. @throws StoreUnavailableError */
  entries(account: string, records: readonly UserRecord[]): Promise<readonly LiveEntry[]>;
}
