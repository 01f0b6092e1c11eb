import type { Amount } from '@laurel/amounts';
import type { Frequency, Instant, LocalDate, PeriodRule, WeekStart } from '@laurel/calendar';
import type { ActiveWindow } from './active-window.ts';
import type { BoostDefinition } from './boost.ts';
import type { Conditions } from './conditions.ts';
import type { AchievementTriggerType, CompiledAchievementTrigger } from './declarations/achievement-triggers.ts';
import type { OutcomeType } from './declarations/outcomes.ts';
import type { CompiledTrigger, PointsTriggerType } from './declarations/points-triggers.ts';
import type { BuiltInTrigger, Effect } from './effects.ts';
import type { ConfiguredNames } from './configured-names.ts';
import type { PointsCap } from './points-cap.ts';
import type { LevelsBy } from './points-level.ts';

/**
 * A published configuration version, compiled: references resolved, ids derived, thresholds exact.
 * Areas read this and nothing else of the configuration. It is immutable; an event is applied under the version that it
 * carries (specification, section 9).
 */
export interface Configuration {
  readonly account: string;
  /** 1, 2, 3, … within the account. */
  readonly version: number;
  /** When this version and each earlier one came into force. Missing if it is the only version. */
  readonly inForce?: VersionInForce;
  readonly metrics: readonly Metric[];
  readonly metricByKey: ReadonlyMap<string, Metric>;
  /** null if no streaks are kept. */
  readonly streak: StreakDefinition | null;
  /** First day of the week for weekly streaks and weekly summaries. */
  readonly weekStart: WeekStart;
  readonly achievements: readonly AchievementDefinition[];
  readonly achievementByKey: ReadonlyMap<string, AchievementDefinition>;
  readonly pointsSystems: readonly PointsSystemDefinition[];
  readonly pointsSystemByKey: ReadonlyMap<string, PointsSystemDefinition>;
  readonly leaderboards: readonly LeaderboardDefinition[];
  readonly leaderboardByKey: ReadonlyMap<string, LeaderboardDefinition>;
  /** Which outcomes are made; null for none. Absent in documents from before there were outcomes. */
  readonly outgoing?: OutgoingDefinition | null;
  /** All names of this version and of those before it. */
  readonly names: ConfiguredNames;
}

/** When a version came into force: -Infinity for the first one, which counts from the beginning of the log. */
interface VersionInForce {
  readonly version: number;
  readonly since: Instant;
  /** null for the first version. */
  readonly before: VersionInForce | null;
}

/** All versions of an account's configuration, as the log holds them. */
export interface ConfigurationHistory {
  readonly account: string;
  /** The version in force now. */
  readonly current: Configuration;
  /** The version with that number. @throws Error if the log, as far as it was read, does not hold it */
  at(version: number): Configuration;
  /** The newest definition of a points trigger, even if the trigger was removed since; null if no trigger ever had that id. */
  findTrigger(triggerId: string): PointsTrigger | null;
}

export interface OutgoingDefinition {
  /** The types that are made, including those that always are. */
  readonly types: ReadonlySet<OutcomeType>;
  /** The effects that outcomes are made of. An event without any of them makes no outcome, unless the recorded event itself makes one. */
  readonly effects: ReadonlySet<Effect['type']>;
  /** Filters for points.changed: it is made if an award matches one of them. null if every award makes it. */
  readonly awards: readonly AwardFilter[] | null;
  /** How long outcomes are kept. */
  readonly keepMs: number;
  /** When users are reminded of a period that they have not met, in minutes of the day; null if no such type is named. */
  readonly atRisk: number | null;
  /** How many top ranks of a run are announced. */
  readonly announceTop: number;
  /** When recaps of a week are due: the day, 0 is Monday, and the minute of the day; null if the type is not named. */
  readonly recap: { readonly weekday: number; readonly minutes: number } | null;
  /** After how many days without an event users are reminded, ascending; null if the type is not named. */
  readonly reactivation: readonly number[] | null;
}

/** The source of an award: a trigger of the system, a grant or a correction. */
export type AwardTriggerType = PointsTrigger['type'] | BuiltInTrigger;

export interface AwardFilter {
  /** Keys of points systems; undefined for all. */
  readonly pointsSystems: ReadonlySet<string> | undefined;
  /** undefined for all types. */
  readonly triggers: ReadonlySet<AwardTriggerType> | undefined;
}

export interface Metric {
  readonly id: string;
  readonly key: string;
  readonly name: string;
}

export interface StreakDefinition {
  /** The version that last changed `frequency` or `weekStart`: streaks of an earlier generation no longer count. */
  readonly generation: number;
  readonly frequency: Frequency;
  readonly weekStart: WeekStart;
  readonly period: PeriodRule;
  readonly mode: 'all' | 'any';
  readonly conditions: readonly StreakCondition[];
  readonly freezes: FreezeDefinition | null;
  /**
   * The terms of freezes in all versions up to this one, oldest first; the last are those in `freezes`. Missing if the
   * terms never changed.
   */
  readonly freezeTerms?: readonly FreezeTermsSince[];
}

/** The terms of freezes from an instant on; null if there are no freezes. */
export interface FreezeTermsSince {
  readonly since: Instant;
  readonly freezes: FreezeDefinition | null;
}

interface StreakCondition {
  readonly metric: string;
  readonly threshold: Amount;
}

export interface FreezeDefinition {
  readonly initial: number;
  readonly max: number;
  /** Days of 24 hours; null if no freezes are earned. */
  readonly earnEvery: number | null;
  readonly earn: number | null;
  /**
   * When the version with these terms was published. Freezes earned before it, and every E before it, keep to the terms then in force.
   * Absent or -Infinity for the first version, which counts from the beginning of the log.
   */
  readonly since?: Instant;
}

/** What every described part of a configuration has. */
interface Described {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly description: string | null;
}

/** An achievement completes by events within its window; by hand at any time. */
export interface AchievementDefinition extends Described, ActiveWindow {
  readonly badgeUrl: string | null;
  /** Key of the group that it belongs to; null if there is none. */
  readonly group: string | null;
  /** Its place within the group; null if there is none. */
  readonly tier: number | null;
  /** Whether lists show it only to users who have completed it. */
  readonly hidden: boolean;
  /** Attributes of events, which alone are summed then, and of users; null without conditions. */
  readonly where: Conditions | null;
  readonly trigger: AchievementTrigger;
}

/** What completes an achievement, by its kind. */
export type AchievementTrigger = {
  [Type in AchievementTriggerType]: { readonly type: Type } & CompiledAchievementTrigger<Type>;
}[AchievementTriggerType];

export interface PointsSystemDefinition extends Described {
  readonly badgeUrl: string | null;
  /** null if there is no cap. */
  readonly maxPoints: bigint | null;
  /** How many points its triggers give at most within a period. Each period once. */
  readonly caps: readonly PointsCap[];
  /** In configuration order. */
  readonly triggers: readonly PointsTrigger[];
  /** By points, ascending. */
  readonly levels: readonly PointsLevel[];
  readonly levelsBy: LevelsBy;
  /** In configuration order. */
  readonly boosts: readonly BoostDefinition[];
  /** Boosts that had begun when a version removed them. They end then, or at their own end if that was earlier. */
  readonly removedBoosts: readonly BoostDefinition[];
  /**
   * The validity periods of the time triggers of this system, over all versions up to this one. A due instant outside of all of them
   * gives nothing. In order of `from`, then configuration order.
   */
  readonly validityPeriods: readonly TimeTriggerValidity[];
}

interface TriggerCommon {
  /** Derived from the system and the trigger's key or, without a key, its content. Reordering changes no id. */
  readonly id: string;
  /** When the version in which it first appeared was published; answers show it as `created` and `updated`. */
  readonly publishedAt: Instant;
}

/** A trigger as a version has it, by its kind. */
type PointsTriggerOf<Type extends PointsTriggerType> = TriggerCommon & {
  readonly type: Type;
} & CompiledTrigger<Type>;
export type PointsTrigger = { [Type in PointsTriggerType]: PointsTriggerOf<Type> }[PointsTriggerType];

export type TimeTrigger = PointsTriggerOf<'time'>;

/** How often a time trigger falls due, in milliseconds. A day is 24 hours. */
export const everyMs = ({ unit, interval }: Pick<TimeTrigger, 'unit' | 'interval'>): number =>
  interval * (unit === 'day' ? 86_400_000 : 3_600_000);

/** A validity period. It holds the due instant d if `from` ≤ d < `until`. */
export interface TimeTriggerValidity {
  readonly trigger: TimeTrigger;
  /** The cap then in force. */
  readonly maxPoints: bigint | null;
  /** -Infinity for a trigger of the first version without `activeFrom`. */
  readonly from: Instant;
  /** Infinity while it is in force. */
  readonly until: Instant;
  /**
   * Orders periods that contain the same instant, lowest first, as in the version then in force. Default: the order of
   * the present version.
   */
  readonly order?: number;
}

export interface PointsLevel extends Described {
  readonly badgeUrl: string | null;
  /** The total at which users reach it. */
  readonly points: bigint;
}

export type RunUnit = 'day' | 'month' | 'year';

export interface LeaderboardDefinition extends Described {
  readonly rankBy:
    | { readonly type: 'metric'; readonly metric: Metric }
    | { readonly type: 'points'; readonly pointsSystem: { readonly key: string; readonly name: string } }
    | { readonly type: 'streak' };
  /** First and last date, both inclusive; `end` is null if the board is open. */
  readonly start: LocalDate;
  readonly end: LocalDate | null;
  /** null if there is a single run. */
  readonly run: { readonly unit: RunUnit; readonly interval: number } | null;
  readonly maxParticipants: number;
}
