import { exactOf, type Exact } from '@laurel/amounts';
import type { WeekStart } from '@laurel/calendar';
import {
  boundedWindow,
  CAP_PERIODS,
  type ActiveWindow,
  type Boost,
  type Condition,
  type Conditions,
  type Configuration,
  type LevelsBy,
  type PointsCap,
  type PointsSystemDefinition,
  type PointsTrigger,
} from '@laurel/kernel';
import type { Cap } from './award/caps.ts';
import { capId } from './award/present.ts';
import { spansOf, type TriggerPeriod } from './due/schedule.ts';

/**
 * Triggers by the kind of event that fires them. Each list is sorted by system, then configuration order: the order of
 * recording.
 */
export interface PointsPlan {
  readonly systems: readonly SystemPlan[];
  readonly systemByKey: ReadonlyMap<string, number>;
  readonly onCreation: readonly CreationTrigger[];
  /** By the metric's index in the version. */
  readonly onMetric: readonly (readonly MetricTrigger[])[];
  readonly onStreak: readonly StreakTrigger[];
  readonly onAchievement: readonly AchievementTrigger[];
  /** The number of metric triggers, each of which has its own sum. */
  readonly sums: number;
  /** Indices of the systems with time triggers, whether or not the triggers are in force. */
  readonly timed: readonly number[];
  /** When the weeks of caps begin. */
  readonly weekStart: WeekStart;
}

export interface SystemPlan {
  readonly key: string;
  /** null without a cap. */
  readonly maxPoints: Exact | null;
  /** Ascending. */
  readonly levels: readonly { readonly key: string; readonly points: Exact }[];
  readonly levelsBy: LevelsBy;
  /** In configuration order. */
  readonly boosts: readonly ConditionedBoost[];
  /** Validity periods of time triggers, including removed ones, which still owe earlier awards. */
  readonly spans: readonly TriggerPeriod[];
  /** The time triggers that are not always active, for explanations. */
  readonly windows: readonly { readonly id: string; readonly window: ActiveWindow }[];
  /** By id. */
  readonly metricTriggers: ReadonlyMap<string, MetricTrigger>;
}

/** A boost, and the attributes of the users whose awards it multiplies. */
export interface ConditionedBoost {
  readonly boost: Boost;
  readonly user: readonly Condition[];
}

export const systemAt = ({ systems }: PointsPlan, place: number): SystemPlan => systems[place] as SystemPlan;

/** A trigger that an event fires. */
export type FiredTrigger = CreationTrigger | MetricTrigger | StreakTrigger | AchievementTrigger;

interface Trigger<Type extends PointsTrigger['type']> {
  readonly type: Type;
  readonly id: string;
  /** The system's index. */
  readonly system: number;
  readonly points: Exact;
  /** What cuts its awards: its own cap, then those of its system. */
  readonly caps: readonly Cap[];
  /** When it fires; null: always. */
  readonly window: ActiveWindow | null;
  /** The attributes on which it depends; null for none. */
  readonly where: Conditions | null;
}

export type CreationTrigger = Trigger<'user_creation'>;
/** `place` is the index of its sum in the state. */
export type MetricTrigger = Trigger<'metric'> & {
  readonly metric: string;
  readonly threshold: Exact;
  readonly place: number;
};
export type StreakTrigger = Trigger<'streak'> & { readonly length: number };
export type AchievementTrigger = Trigger<'achievement'> & { readonly achievement: string };

export function compilePoints(configuration: Configuration): PointsPlan {
  const { pointsSystems, metrics, weekStart } = configuration;
  let sums = 0;
  const triggers = pointsSystems.flatMap((definition, system) =>
    definition.triggers.flatMap((trigger) =>
      compileTrigger(trigger, system, capsOn(trigger, definition, configuration), () => sums++),
    ),
  );
  const onMetric = triggersOf(triggers, 'metric');
  const systems = pointsSystems.map((definition, place) => compileSystem(definition, place, onMetric));
  return {
    systems,
    systemByKey: new Map(systems.map(({ key }, place) => [key, place])),
    onCreation: triggersOf(triggers, 'user_creation'),
    onMetric: metrics.map(({ key }) => onMetric.filter(({ metric }) => metric === key)),
    onStreak: triggersOf(triggers, 'streak'),
    onAchievement: triggersOf(triggers, 'achievement'),
    sums,
    timed: systems.flatMap(({ spans }, place) => (spans.length > 0 ? [place] : [])),
    weekStart,
  };
}

function capsOn(
  trigger: PointsTrigger,
  { key, caps }: PointsSystemDefinition,
  { names, weekStart }: Configuration,
): readonly Cap[] {
  if (!('cap' in trigger)) return [];
  const compiled = ({ per, points }: PointsCap, cutBy: Cap['cutBy'], number: () => number): Cap => ({
    id: capId(per, number()),
    period: { frequency: CAP_PERIODS[per], weekStart },
    points: exactOf(points),
    cutBy,
  });
  const own = trigger.cap;
  return [
    ...(own === null ? [] : [compiled(own, 'trigger_cap', () => names.triggers.numberOf(trigger.id))]),
    ...caps.map((cap) => compiled(cap, 'system_cap', () => -names.systems.numberOf(key))),
  ];
}

const triggersOf = <Type extends FiredTrigger['type']>(triggers: readonly FiredTrigger[], type: Type) =>
  triggers.filter((trigger): trigger is Extract<FiredTrigger, { readonly type: Type }> => trigger.type === type);

function compileTrigger(
  trigger: PointsTrigger,
  system: number,
  caps: readonly Cap[],
  nextSum: () => number,
): readonly FiredTrigger[] {
  const where = 'where' in trigger ? trigger.where : null;
  const { id, points } = trigger;
  const common = { id, system, points: exactOf(points), caps, window: boundedWindow(trigger), where };
  switch (trigger.type) {
    case 'user_creation':
      return [{ ...common, type: trigger.type }];
    case 'metric': {
      const { type, metric, threshold } = trigger;
      return [{ ...common, type, metric: metric.key, threshold: exactOf(threshold), place: nextSum() }];
    }
    case 'streak':
      return [{ ...common, type: trigger.type, length: trigger.length }];
    case 'achievement':
      return [{ ...common, type: trigger.type, achievement: trigger.achievement.key }];
    case 'time':
      // No event fires a time trigger; it is compiled with the validity periods of its system.
      return [];
  }
}

const compileSystem = (
  definition: PointsSystemDefinition,
  place: number,
  onMetric: readonly MetricTrigger[],
): SystemPlan => ({
  key: definition.key,
  maxPoints: definition.maxPoints === null ? null : exactOf(definition.maxPoints),
  levels: definition.levels.map(({ key, points }) => ({ key, points: exactOf(points) })),
  levelsBy: definition.levelsBy,
  boosts: definition.boosts.map(({ id, name, multiplier, rounding, start, end, where }) => ({
    boost: { id, name, multiplier, rounding, start, end },
    user: where?.user ?? [],
  })),
  spans: spansOf(definition, place),
  windows: definition.triggers.flatMap((trigger) => {
    const window = trigger.type === 'time' ? boundedWindow(trigger) : null;
    return window === null ? [] : [{ id: trigger.id, window }];
  }),
  metricTriggers: new Map(
    onMetric.flatMap((trigger) => (trigger.system === place ? [[trigger.id, trigger] as const] : [])),
  ),
});
