import { exactOf, type Exact } from '@laurel/amounts';
import type { PeriodRule } from '@laurel/calendar';
import {
  judgesStreak,
  type Configuration,
  type FreezeDefinition,
  type FreezeTermsSince,
  type OutcomeType,
} from '@laurel/kernel';

export interface StreaksPlan {
  /** null without streaks. */
  readonly rules: StreakRules | null;
  /** Whether the areas behind need the length of the streak with every record. */
  readonly tellsLength: boolean;
}

export interface StreakRules {
  readonly generation: number;
  readonly period: PeriodRule;
  readonly mode: 'all' | 'any';
  /** The metrics of the conditions, each once. */
  readonly metrics: readonly string[];
  /** The index in `metrics`, by the metric's index in the configuration; -1 if no condition uses the metric. */
  readonly placeOfMetric: readonly number[];
  readonly conditions: readonly { readonly place: number; readonly threshold: Exact }[];
  readonly freezes: FreezeDefinition | null;
  /** All terms of freezes so far, oldest first; the last ones are those of `freezes`. */
  readonly freezeTerms: readonly FreezeTermsSince[];
  /** The minute of the day at which users are reminded of an unmet period, or null without reminders. */
  readonly atRisk: number | null;
  /** Whether effects include the streak after the event, for outcomes that show it. */
  readonly isNotified: boolean;
  /** Whether effects include the instant at which freezes were earned. */
  readonly notifiesOfEarning: boolean;
}

/** The types of outcomes that show a streak after an event. */
const TOLD_BY: readonly OutcomeType[] = ['streak.started', 'streak.extended', 'streak.freeze_consumed'];

export function compileStreaks(configuration: Configuration): StreaksPlan {
  const { streak, metrics, outgoing } = configuration;
  return {
    rules: streak === null ? null : streakRulesOf(streak, metrics, outgoing ?? null),
    tellsLength: judgesStreak(configuration),
  };
}

/** The rules of a streak definition. `all` has the metrics of its configuration. */
export function streakRulesOf(
  streak: NonNullable<Configuration['streak']>,
  all: Configuration['metrics'],
  outgoing: Configuration['outgoing'],
): StreakRules {
  const { generation, period, mode, conditions, freezes } = streak;
  const freezeTerms = streak.freezeTerms ?? [{ since: freezes?.since ?? -Infinity, freezes }];
  const metrics = [...new Set(conditions.map(({ metric }) => metric))];
  return {
    generation,
    period,
    mode,
    metrics,
    placeOfMetric: all.map(({ key }) => metrics.indexOf(key)),
    conditions: conditions.map(({ metric, threshold }) => ({
      place: metrics.indexOf(metric),
      threshold: exactOf(threshold),
    })),
    freezes,
    freezeTerms,
    atRisk: outgoing?.atRisk ?? null,
    isNotified: TOLD_BY.some((type) => outgoing?.types.has(type)),
    notifiesOfEarning: outgoing?.types.has('streak.freeze_earned') ?? false,
  };
}
