import { judgedMetrics, type Configuration } from '@laurel/kernel';
import { NO_REMINDERS, type ReminderTerms } from './user-reminders.ts';

export interface UsersPlan {
  readonly metrics: readonly string[];
  readonly metricByKey: ReadonlyMap<string, number>;
  readonly reminders: ReminderTerms;
  /** The metrics, by index, whose totals the areas behind need with every record. */
  readonly judged: readonly number[];
}

/** All totals by key, for reads. */
export const NO_METRICS: UsersPlan = { metrics: [], metricByKey: new Map(), reminders: NO_REMINDERS, judged: [] };

export function compileUsers(configuration: Configuration): UsersPlan {
  const { metrics, outgoing } = configuration;
  return {
    metrics: metrics.map(({ key }) => key),
    metricByKey: new Map(metrics.map(({ key }, place) => [key, place])),
    reminders: { recap: outgoing?.recap ?? null, reactivation: outgoing?.reactivation ?? null },
    judged: judgedMetrics(configuration),
  };
}
