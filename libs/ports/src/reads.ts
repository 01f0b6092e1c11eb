import type { Amount } from '@laurel/amounts';
import type { Bucket, DateRange, Instant, LocalDate, PeriodRule } from '@laurel/calendar';
import type { BoardRanking, BoardRun, PointsLevel, PointsRange, StreakView, Subject } from '@laurel/kernel';
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
export type MetricBucket = Bucket;

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

/** One period of the summary of a user's points. */
export type PointsBucket = Bucket;

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
