import type { Amount } from '@laurel/amounts';
import type { Bucket, DateRange, Instant, LocalDate, PeriodRule } from '@laurel/calendar';
import type {
  BoardRanking,
  BoardRun,
  Boost,
  PointsLevel,
  PointsRange,
  PointsStanding,
  StreakView,
  Subject,
  UserRef,
} from '@laurel/kernel';
import type { AttributeHashes, Profile } from '@laurel/profile';

/** The read side of each area. All reads show committed state; time-dependent state is read as of the instant `at`. */

export interface UserProfile extends DatedProfile {
  /** By metric key; a metric without an event is absent. */
  readonly totals: ReadonlyMap<string, Amount>;
  /** The hashes of their attributes, as far as the log has them. */
  readonly attributeHashes: AttributeHashes;
}

export interface DatedProfile extends Profile {
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** One period of the summary of a user's metric. */
export type MetricBucket = Bucket;

/** Counters of a day, by the date on each user's clock. */
export interface UserDayCounts {
  readonly date: LocalDate;
  readonly newUsers: number;
  /** Users with a metric event on this date and on no later date so far. */
  readonly activeUsers: number;
}

export interface MetricDayCounts {
  readonly metric: string;
  readonly date: LocalDate;
  /** Metric events, including those of value 0. */
  readonly events: number;
  /** The sum of their values, exact. */
  readonly total: Amount;
}

export interface UserReads {
  find(account: string, subject: Subject): Promise<UserProfile | null>;
  /** The profiles of the known users, in one statement. */
  profiles(account: string, subjects: readonly Subject[]): Promise<ReadonlyMap<Subject, UserProfile>>;
  /** The names of the users who have one. */
  names(account: string, subjects: readonly Subject[]): Promise<ReadonlyMap<Subject, string>>;
  /** The number of users of the account. */
  count(account: string): Promise<number>;
  /** Counts by date ascending; days without events are missing. */
  dayCounts(account: string, range: DateRange): Promise<readonly UserDayCounts[]>;
  /** Counts by date ascending, in one statement; days without an event are missing. */
  metricDayCounts(account: string, metrics: readonly string[], range: DateRange): Promise<readonly MetricDayCounts[]>;
  /** A bucket for every period of `rule` that the range touches, by date ascending; all 0 for an unknown user. */
  metricSummary(
    account: string,
    subject: Subject,
    metric: string,
    query: DateRange & { readonly rule: PeriodRule },
  ): Promise<readonly MetricBucket[]>;
}

/** Searches by e-mail, or by the beginning of the name or of a word in it. */
export interface UserSearchQuery {
  readonly kind: 'email' | 'name';
  readonly text: string;
}

/** A user, and the term that matched. */
export interface FoundUser {
  readonly term: string;
  readonly subject: Subject;
}

export type UserSearchAnswer =
  /** There is no index. */
  | { readonly state: 'off' }
  /** The index does not hold all users yet; `users` is the number that it holds. */
  | { readonly state: 'building'; readonly users: number }
  | { readonly state: 'ready'; readonly found: readonly FoundUser[] };

export interface UserSearch {
  /**
   * Searches without regard to case and accents. Returns at most `limit` users after `after`, ordered by term and then
   * by subject.
   */
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
  /** Number of streaks that reached this length. */
  readonly reached: number;
  /** Number of streaks that ended at this length, except those restored since. */
  readonly ended: number;
}

export interface StreakSurvival {
  /** Counts by length ascending; lengths that no streak reached are missing. */
  readonly lengths: readonly StreakLengthCounts[];
  /** The longest length of any streak; 0 if there was none. */
  readonly longest: number;
}

export type StreakLength = Pick<StreakView, 'length' | 'extendedAt'>;

export interface StreakReads {
  /** The streak as it reads at `at`. The user must be known. */
  view(account: string, subject: Subject, at: Instant): Promise<StreakView>;
  /** Lengths as they read at `at`, in one statement for any number of users. Users who never had a streak are absent. */
  lengths(account: string, subjects: readonly Subject[], at: Instant): Promise<ReadonlyMap<Subject, StreakLength>>;
  /** The last `periods` periods up to the current one, oldest first; empty without a streak configured. */
  history(account: string, subject: Subject, at: Instant, periods: number): Promise<readonly StreakPeriod[]>;
  /**
   * How many streaks reached each length up to `most`, and ended at it, in periods of the configured frequency; empty without a streak
   * configured. An end counts once an event of the user or a sweep has recorded it.
   */
  survival(account: string, most: number): Promise<StreakSurvival>;
}

/** A user's completion of an achievement. */
export interface Completion {
  readonly subject: Subject;
  readonly achievedAt: Instant;
}

/** A user on a level. */
export interface LevelReached {
  readonly subject: Subject;
  readonly reachedAt: Instant;
}

export interface AchievementReads {
  /** The user's completions: instants by achievement key. */
  completedBy(account: string, subject: Subject): Promise<ReadonlyMap<string, Instant>>;
  /** The sums of the user's matching events, by the key of an achievement with a condition on events; others are missing. */
  matchingSums(account: string, subject: Subject): Promise<ReadonlyMap<string, Amount>>;
  /** Number of users who completed each achievement, by its key; achievements that nobody completed are missing. */
  counts(account: string): Promise<ReadonlyMap<string, number>>;
}

export interface StoredAward {
  /** null for a due time award, whose id the reader derives. */
  readonly id: string | null;
  readonly triggerId: string;
  readonly awarded: bigint;
  readonly total: bigint;
  readonly at: Instant;
  /** What multiplied it; absent if nothing did. */
  readonly boosts?: readonly Boost[];
}

/** One period of the summary of a user's points. */
export type PointsBucket = Bucket;

export interface PointsDayCounts {
  readonly system: string;
  /** The date of each award on its user's clock. */
  readonly date: LocalDate;
  readonly awarded: bigint;
  /** Points taken by negative awards, as a positive number. */
  readonly consumed: bigint;
}

export interface LevelUsers {
  readonly level: PointsLevel;
  /** Number of users at this level. */
  readonly users: number;
}

export interface PointsReads {
  /** As of `at`, including due time awards, recorded or not. */
  standing(account: string, subject: Subject, system: string, at: Instant): Promise<PointsStanding<bigint>>;
  /** The user's own boosts, in the order in which they were given: those that are not finished, and the last that are. */
  boosts(user: UserRef, system: string): Promise<readonly Boost[]>;
  /** The newest `limit` awards, newest recorded first; due ones included. */
  awards(user: UserRef, system: string, at: Instant, limit: number): Promise<readonly StoredAward[]>;
  /** A bucket for every period from `from` to `to` (inclusive), by date ascending. */
  summary(
    user: UserRef,
    system: string,
    at: Instant,
    query: { readonly aggregation: 'daily' | 'weekly' | 'monthly'; readonly from: LocalDate; readonly to: LocalDate },
  ): Promise<readonly PointsBucket[]>;
  /**
   * The points that all users gained and lost in these systems, by date ascending, in one statement; days without an
   * award are missing.
   */
  dayCounts(account: string, systems: readonly string[], range: DateRange): Promise<readonly PointsDayCounts[]>;
  /**
   * Number of users at each level of the system, by points ascending. Counts recorded points, as {@link usersByRange} does: a due time
   * award counts once an event or a sweep has recorded it.
   */
  usersByLevel(account: string, system: string): Promise<readonly LevelUsers[]>;
  /**
   * Number of users by total: 0–0, then ten equal ranges from 1 to the highest total rounded up to a power of ten, at
   * least 10.
   */
  usersByRange(account: string, system: string): Promise<readonly PointsRange[]>;
}

export interface CountedRun extends BoardRun {
  /** Number of users with a value above 0. */
  readonly participants: number;
  /** Whether the last date has passed on every clock. */
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
   * The run that contains `date`, or null outside the board's dates. Without `date`: the run of the UTC date of `at`,
   * the last run of a finished board, or null for a scheduled one.
   */
  run(account: string, board: string, at: Instant, date: LocalDate | null): BoardRun | null;
  /**
   * The runs that have begun on some clock, newest first, at most `limit`, including runs in which nobody has a value. One statement.
   * @param before only runs that start before it; null for all
   */
  runs(
    account: string,
    board: string,
    at: Instant,
    page: { readonly before: LocalDate | null; readonly limit: number },
  ): Promise<readonly CountedRun[]>;
  /** When the newest change of the run after it was final was recorded; null if there was none. */
  changedAt(account: string, board: string, run: BoardRun): Promise<Instant | null>;
  /** At most `limit` ranked rows from `offset` on (0 is the top), within the board's maxParticipants. */
  rankings(
    account: string,
    board: string,
    run: BoardRun,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<readonly BoardRanking[]>;
  /** `rank` is null if the user is not ranked, `value` if the user has none in that run. */
  standing(
    account: string,
    board: string,
    run: BoardRun,
    subject: Subject,
  ): Promise<{ readonly rank: number | null; readonly value: Amount | null }>;
  /** The newest `limit` entries, oldest first. */
  history(user: UserRef, board: string, run: BoardRun, limit: number): Promise<readonly BoardHistoryEntry[]>;
}
