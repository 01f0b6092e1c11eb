import { Controller, Param, Query } from '@nestjs/common';
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
import { Account, Route } from '@laurel/runtime';
import { metricBucketAnswer, userMetric } from './answers/user-answer.ts';
import { knownMetric, type QueryPorts } from './ports.ts';
import { Ports } from './ports-of-caller.ts';
import { checkQuery, type Query as QueryRecord } from './query-parameters.ts';
import { summaryParameters } from './summary-parameters.ts';

@Controller()
export class UsersController {
  @Route(operations.getUser)
  async profile(
    @Ports() ports: QueryPorts,
    @Account() account: string,
    @Param('id') id: string,
    @Query() query: QueryRecord,
  ): Promise<UserAnswer> {
    const { profile } = await knownUser(ports, account, id);
    checkQuery(query);
    return userAnswer(id, profile);
  }

  @Route(operations.getUserPreferences)
  async preferences(
    @Ports() ports: QueryPorts,
    @Account() account: string,
    @Param('id') id: string,
    @Query() query: QueryRecord,
  ): Promise<PreferencesAnswer> {
    const { profile } = await knownUser(ports, account, id);
    checkQuery(query);
    return preferencesAnswer(profile.notifications);
  }

  @Route(operations.listUserMetrics)
  metrics(
    @Ports() ports: QueryPorts,
    @Account() account: string,
    @Param('id') id: string,
    @Query() query: QueryRecord,
  ): Promise<UserMetric[]> {
    return metricsOf(ports, account, id, query, () => ports.configuration(account).current.metrics);
  }

  @Route(operations.getUserMetric)
  async metric(
    @Ports() ports: QueryPorts,
    @Account() account: string,
    @Param('id') id: string,
    @Param('key') key: string,
    @Query() query: QueryRecord,
  ): Promise<UserMetric | undefined> {
    const [metric] = await metricsOf(ports, account, id, query, () => [knownMetric(ports, account, key)]);
    return metric;
  }

  @Route(operations.summarizeUserMetric)
  async metricSummary(
    @Ports() ports: QueryPorts,
    @Account() account: string,
    @Param('id') id: string,
    @Param('key') key: string,
    @Query() query: QueryRecord,
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

/** `choose` is asked once the user is known: an unknown user comes before an unknown metric. */
async function metricsOf(
  ports: QueryPorts,
  account: string,
  id: string,
  query: QueryRecord,
  choose: () => readonly Metric[],
): Promise<UserMetric[]> {
  const { subject, profile } = await knownUser(ports, account, id);
  const metrics = choose();
  checkQuery(query);
  const completed = await ports.achievements.completedBy(account, subject);
  const configuration = ports.configuration(account).current;
  return metrics.map((metric) => userMetric(metric, profile, completed, configuration));
}
