import type { Amount } from '@laurel/amounts';
import type { Frequency, Instant, LocalDate, PeriodRule, WeekStart } from '@laurel/calendar';
import type { AchievementTriggerType, CompiledAchievementTrigger } from './declarations/achievement-triggers.ts';
import type { OutcomeType } from './declarations/outcomes.ts';
import type { CompiledTrigger, PointsTriggerType } from './declarations/points-triggers.ts';
import type { CORRECTION_TRIGGER, Effect, GRANT_TRIGGER } from './effects.ts';
import type { ConfiguredNames } from './configured-names.ts';

/**
 * A published configuration version, compiled: references resolved, ids derived, thresholds exact.
 * Areas read this and nothing else of the configuration. It is immutable; an event is applied under the version that it
 * carries (specification, section 9).
 */
export interface Configuration {
  readonly account: string;
  /** 1, 2, 3, … within the account. */
  readonly version: number;
  /** When this version, and each one before it, came into force. Absent: it is the only one. */
  readonly inForce?: VersionInForce;
  readonly metrics: readonly Metric[];
  readonly metricByKey: ReadonlyMap<string, Metric>;
  /** null: no streaks are kept. */
  readonly streak: StreakDefinition | null;
  /** First day of the week for weekly streaks and weekly summaries. */
  readonly weekStart: WeekStart;
  readonly achievements: readonly AchievementDefinition[];
  readonly achievementByKey: ReadonlyMap<string, AchievementDefinition>;
  readonly pointsSystems: readonly PointsSystemDefinition[];
  readonly pointsSystemByKey: ReadonlyMap<string, PointsSystemDefinition>;
  readonly leaderboards: readonly LeaderboardDefinition[];
  readonly leaderboardByKey: ReadonlyMap<string, LeaderboardDefinition>;
  /** What is made known to others; null: nothing. Absent: a document of before there was any. */
  readonly outgoing?: OutgoingDefinition | null;
  /** All that this version and those before it have named. */
  readonly names: ConfiguredNames;
}

/** When a version came into force: -Infinity for the first one, which counts from the beginning of the log. */
interface VersionInForce {
  readonly version: number;
  readonly since: Instant;
  /** null: it is the first version. */
  readonly before: VersionInForce | null;
}

/** All versions of an account's configuration, as the log holds them. */
export interface ConfigurationHistory {
  readonly account: string;
  /** The version in force now. */
  readonly current: Configuration;
  /** The version with that number. @throws Error if the log (as far as it was read) does not hold it: never guessed. */
  at(version: number): Configuration;
  /** The newest definition of a points trigger, also of one that has since been removed; null if none ever had that id. */
  findTrigger(triggerId: string): PointsTrigger | null;
}

export interface OutgoingDefinition {
  /** The types that are made, those that always are included. */
  readonly types: ReadonlySet<OutcomeType>;
  /** The effects that they are made of: an event without any of them makes none, unless its record itself does. */
  readonly effects: ReadonlySet<Effect['type']>;
  /** points.changed is made if an award matches one of these filters; null: of every award. */
  readonly awards: readonly AwardFilter[] | null;
  /** How long outcomes are kept. */
  readonly keepMs: number;
  /** When users are reminded of a period that they have not met, in minutes of the day; null: no type of it is named. */
  readonly atRisk: number | null;
  /** The first so many of a run are those whose moves concern others. */
  readonly announceTop: number;
  /** When users are told what they did in a week: 0 is Monday; minutes of the day. null: its type is not named. */
  readonly recap: { readonly weekday: number; readonly minutes: number } | null;
  /** After how many days without an event users are reminded, ascending; null: its type is not named. */
  readonly reactivation: readonly number[] | null;
}

/** What can have given or taken points: a trigger of the system, a grant or a correction. */
export type AwardTriggerType = PointsTrigger['type'] | typeof GRANT_TRIGGER | typeof CORRECTION_TRIGGER;

export interface AwardFilter {
  /** Keys of points systems; undefined: all. */
  readonly pointsSystems: ReadonlySet<string> | undefined;
  /** undefined: all. */
  readonly triggers: ReadonlySet<AwardTriggerType> | undefined;
}

export interface Metric {
  readonly id: string;
  readonly key: string;
  readonly name: string;
}

export interface StreakDefinition {
  /** The version that last changed `frequency` or `weekStart`: streaks of an earlier generation count no longer. */
  readonly generation: number;
  readonly frequency: Frequency;
  readonly weekStart: WeekStart;
  readonly period: PeriodRule;
  readonly mode: 'all' | 'any';
  readonly conditions: readonly StreakCondition[];
  readonly freezes: FreezeDefinition | null;
  /** The terms of freezes of all versions up to this one, oldest first, the last those of `freezes`. Absent: there were no others. */
  readonly freezeTerms?: readonly FreezeTermsSince[];
}

/** From when on freezes had these terms; null: there were none. */
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
  /** Days of 24 hours; null: none are earned. */
  readonly earnEvery: number | null;
  readonly earn: number | null;
  /**
   * Publication of the version that gave the freezes these terms; what was earned, and every E, before it keeps to the
   * terms then in force. Absent or -Infinity: the first version, which counts from the beginning of the log.
   */
  readonly since?: Instant;
}

export interface AchievementDefinition {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly description: string | null;
  readonly badgeUrl: string | null;
  readonly trigger: AchievementTrigger;
}

/** What completes an achievement, by its kind. */
export type AchievementTrigger = {
  [Type in AchievementTriggerType]: { readonly type: Type } & CompiledAchievementTrigger<Type>;
}[AchievementTriggerType];

export interface PointsSystemDefinition {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly description: string | null;
  readonly badgeUrl: string | null;
  /** null: no cap. */
  readonly maxPoints: bigint | null;
  /** Configuration order. */
  readonly triggers: readonly PointsTrigger[];
  /** By points, ascending. */
  readonly levels: readonly PointsLevel[];
  /**
   * Every span of time in which a time trigger of this system was in force, over all versions up to this one: due
   * instants outside of every span give nothing. In order of `from`, then configuration order.
   */
  readonly timeSpans: readonly TimeTriggerSpan[];
}

interface TriggerCommon {
  /** Derived from the system and the trigger's key, or else its content: reordering changes no id. */
  readonly id: string;
  /** Publication of the version in which it first appeared; ISO in answers as `created` and `updated`. */
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

/** A due instant d belongs to the span if `from` ≤ d < `until`. */
export interface TimeTriggerSpan {
  readonly trigger: TimeTrigger;
  /** The cap then in force. */
  readonly maxPoints: bigint | null;
  /** -Infinity for what the first version holds without `activeFrom`. */
  readonly from: Instant;
  /** Infinity while it is in force. */
  readonly until: Instant;
  /** Spans in force at one instant stand in the order of the version then in force: by this, the lowest first. Absent: as the present one has them. */
  readonly order?: number;
}

export interface PointsLevel {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly description: string | null;
  readonly badgeUrl: string | null;
  /** The total from which it is reached. */
  readonly points: bigint;
}

export type RunUnit = 'day' | 'month' | 'year';

export interface LeaderboardDefinition {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly description: string | null;
  readonly rankBy:
    | { readonly type: 'metric'; readonly metric: Metric }
    | { readonly type: 'points'; readonly pointsSystem: { readonly key: string; readonly name: string } }
    | { readonly type: 'streak' };
  /** First and last date, both inclusive; end null: open. */
  readonly start: LocalDate;
  readonly end: LocalDate | null;
  /** null: one run from start. */
  readonly run: { readonly unit: RunUnit; readonly interval: number } | null;
  readonly maxParticipants: number;
}
