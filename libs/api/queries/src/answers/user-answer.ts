import type { Instant } from '@laurel/calendar';
import type { Configuration, Metric } from '@laurel/kernel';
import type { MetricBucket, UserProfile } from '@laurel/ports';
import { achievementAnswer, jsonAmount, type MetricBucketAnswer, type UserMetric } from '@laurel/schemas';

interface ShownUser {
  readonly profile: UserProfile;
  readonly completed: ReadonlyMap<string, Instant>;
  readonly at: Instant;
}

/** A user's total of a metric, with the achievements that it leads to, completed or not; hidden ones only if completed. */
export function userMetric(
  metric: Metric,
  { profile, completed, at }: ShownUser,
  configuration: Configuration,
): UserMetric {
  const ofThisMetric = configuration.achievements.filter(
    ({ key, hidden, trigger }) =>
      trigger.type === 'metric' && trigger.metric.key === metric.key && (!hidden || completed.has(key)),
  );
  return {
    id: metric.id,
    key: metric.key,
    name: metric.name,
    status: 'active',
    current: jsonAmount(profile.totals.get(metric.key) ?? 0n),
    achievements: ofThisMetric.map((definition) =>
      achievementAnswer(definition, completed.get(definition.key) ?? null, at),
    ),
  };
}

export function metricBucketAnswer({ date, total, change }: MetricBucket): MetricBucketAnswer {
  return { date, total: jsonAmount(total), change: jsonAmount(change) };
}
