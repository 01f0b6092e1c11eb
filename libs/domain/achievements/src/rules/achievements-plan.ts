import { exactOf, type Exact } from '@laurel/amounts';
import {
  boundedWindow,
  requiresEvent,
  requiresUser,
  type AchievementDefinition,
  type ActiveWindow,
  type Condition,
  type Configuration,
} from '@laurel/kernel';

export interface AchievementsPlan {
  /** Keys in configuration order, in which the answer lists achievements that one event completes. */
  readonly keys: readonly string[];
  readonly placeByKey: ReadonlyMap<string, number>;
  /** Achievements that a metric's total completes, by the metric's index. */
  readonly onMetric: readonly (readonly MetricAchievement[])[];
  readonly onStreak: readonly StreakAchievement[];
  readonly byCall: ReadonlySet<number>;
  readonly composites: readonly CompositeAchievement[];
  /** Achievements with a condition on users that count a total or the streak. They are judged with every record. */
  readonly judged: readonly JudgedAchievement[];
  /** What the conditions on events count, by the place of its sum in the state. */
  readonly sums: readonly MatchingSum[];
  readonly sumByName: ReadonlyMap<string, number>;
  /** The places of the sums of a metric, by its index. */
  readonly sumsOfMetric: readonly (readonly number[])[];
  /** When events complete an achievement, by its place; null: always. */
  readonly windows: readonly (ActiveWindow | null)[];
}

/** The total of a metric, or a sum of matching events. */
interface Counted {
  readonly metric: number;
  /** The place of the sum of matching events; null: the total of the metric. */
  readonly sum: number | null;
  readonly value: Exact;
}

export interface MetricAchievement extends Counted {
  readonly place: number;
}

export interface StreakAchievement {
  readonly place: number;
  readonly length: number;
}

export interface CompositeAchievement {
  readonly place: number;
  readonly needs: readonly number[];
  /**
   * Required achievements that the version no longer has: this one is complete only if the user completed them earlier.
   */
  readonly otherNeeds: readonly string[];
  /** The attributes that the user must have. */
  readonly user: readonly Condition[];
}

export type JudgedAchievement = (MetricAchievement | StreakAchievement) & { readonly user: readonly Condition[] };

export interface MatchingSum {
  /** It identifies the sum in stored states. */
  readonly name: string;
  readonly event: readonly Condition[];
}

export const keyOf = (plan: AchievementsPlan, place: number): string => plan.keys[place] as string;

export function compileAchievements(configuration: Configuration): AchievementsPlan {
  const { achievements, metrics } = configuration;
  const metricByKey = new Map(metrics.map(({ key }, index) => [key, index]));
  const placeByKey = new Map(achievements.map(({ key }, place) => [key, place]));
  const onMetric = metrics.map((): MetricAchievement[] => []);
  const onStreak: StreakAchievement[] = [];
  const byCall = new Set<number>();
  const composites: CompositeAchievement[] = [];
  const judged: JudgedAchievement[] = [];
  const sums = new Sums(metrics.length);
  for (const [place, achievement] of achievements.entries()) {
    const { trigger, where } = achievement;
    const user = where?.user ?? NO_CONDITIONS;
    switch (trigger.type) {
      case 'metric': {
        const metric = metricByKey.get(trigger.metric.key) ?? -1;
        const counted = { place, metric, sum: sums.placeOf(achievement, metric), value: exactOf(trigger.value) };
        if (requiresUser(where)) judged.push({ ...counted, user });
        else onMetric[metric]?.push(counted);
        break;
      }
      case 'streak':
        if (requiresUser(where)) judged.push({ place, length: trigger.length, user });
        else onStreak.push({ place, length: trigger.length });
        break;
      case 'api':
        byCall.add(place);
        break;
      case 'achievement': {
        const keys = trigger.achievements.map(({ key }) => key);
        composites.push({ place, ...needsOf(keys, placeByKey), user });
        break;
      }
      default:
        throw new Error(`an unknown achievement trigger: ${JSON.stringify(trigger satisfies never)}`);
    }
  }
  return {
    keys: achievements.map(({ key }) => key),
    placeByKey,
    onMetric,
    onStreak,
    byCall,
    composites,
    judged,
    ...sums.compiled(),
    windows: achievements.map(boundedWindow),
  };
}

const NO_CONDITIONS: readonly Condition[] = [];

/** Gives the achievements with a condition on events a sum each. */
class Sums {
  readonly #sums: MatchingSum[] = [];
  readonly #ofMetric: number[][];

  constructor(metrics: number) {
    this.#ofMetric = Array.from({ length: metrics }, () => []);
  }

  /** null for an achievement without a condition on events. */
  placeOf({ key, trigger, where }: AchievementDefinition, metric: number): number | null {
    if (where === null || !requiresEvent(where) || trigger.type !== 'metric') return null;
    this.#ofMetric[metric]?.push(this.#sums.length);
    return this.#sums.push({ name: sumName(key, trigger.metric.key), event: where.event }) - 1;
  }

  compiled(): Pick<AchievementsPlan, 'sums' | 'sumByName' | 'sumsOfMetric'> {
    const sumByName = new Map(this.#sums.map(({ name }, place) => [name, place]));
    return { sums: this.#sums, sumByName, sumsOfMetric: this.#ofMetric };
  }
}

/** An achievement that counts another metric under the same key starts from 0. Keys have no colon. */
export const sumName = (achievement: string, metric: string): string => `${achievement}:${metric}`;

function needsOf(keys: readonly string[], placeByKey: ReadonlyMap<string, number>) {
  const needs = keys.map((key) => placeByKey.get(key)).filter((place) => place !== undefined);
  return { needs, otherNeeds: keys.filter((key) => !placeByKey.has(key)) };
}
