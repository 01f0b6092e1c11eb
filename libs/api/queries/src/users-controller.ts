import { Controller } from '@nestjs/common';
import type { Metric } from '@laurel/kernel';
import {
  userAnswer,
  knownUser,
  preferencesAnswer,
  type MetricBucketAnswer,
  type PreferencesAnswer,
  type UserAnswer,
  type UserMetric,
  operations,
} from '@laurel/schemas';
import { Route } from '@laurel/runtime';
import { metricBucketAnswer, userMetric } from './answers/user-answer.ts';
import { knownMetric } from './ports.ts';
import { checkQuery } from './query-parameters.ts';
import { Read, type ReadCall } from './read-call.ts';
import { summaryParameters } from './summary-parameters.ts';

@Controller()
export class UsersController {
  @Route(operations.getUser)
  async profile(@Read() { ports, account, path, query }: ReadCall<'id'>): Promise<UserAnswer> {
    const { profile } = await knownUser(ports, account, path.id);
    checkQuery(query);
    return userAnswer(path.id, profile);
  }

  @Route(operations.getUserPreferences)
  async preferences(@Read() { ports, account, path, query }: ReadCall<'id'>): Promise<PreferencesAnswer> {
    const { profile } = await knownUser(ports, account, path.id);
    checkQuery(query);
    return preferencesAnswer(profile.notifications);
  }

  @Route(operations.listUserMetrics)
  metrics(@Read() call: ReadCall<'id'>): Promise<UserMetric[]> {
    return metricsOf(call, () => call.ports.configuration(call.account).current.metrics);
  }

  @Route(operations.getUserMetric)
  async metric(@Read() call: ReadCall<'id' | 'key'>): Promise<UserMetric | undefined> {
    const [metric] = await metricsOf(call, () => [knownMetric(call.ports, call.account, call.path.key)]);
    return metric;
  }

  @Route(operations.summarizeUserMetric)
  async metricSummary(
    @Read() { ports, account, path: { id, key }, query }: ReadCall<'id' | 'key'>,
  ): Promise<MetricBucketAnswer[]> {
    const { subject } = await knownUser(ports, account, id);
    knownMetric(ports, account, key);
    const { aggregation, from, to } = summaryParameters(query);
    const { weekStart } = ports.configuration(account).current;
    const rule = { frequency: aggregation, weekStart };
    const buckets = await ports.users.metricSummary(account, subject, key, { rule, from, to });
    return buckets.map(metricBucketAnswer);
  }
}

/** @param choose is called once the user is known, because an unknown user is reported before an unknown metric */
async function metricsOf(
  { ports, account, path, query }: ReadCall<'id'>,
  choose: () => readonly Metric[],
): Promise<UserMetric[]> {
  const { subject, profile } = await knownUser(ports, account, path.id);
  const metrics = choose();
  checkQuery(query);
  const completed = await ports.achievements.completedBy(account, subject);
  const configuration = ports.configuration(account).current;
  const at = ports.clock.now();
  return metrics.map((metric) => userMetric(metric, { profile, completed, at }, configuration));
}
