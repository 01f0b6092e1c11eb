import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import {
  userAnswer,
  knownUser,
  preferencesAnswer,
  type Metric,
  type MetricBucketAnswer,
  type PreferencesAnswer,
  type UserAnswer,
  type UserMetric,
} from '@laurel/contracts';
import { Account, RequiresScope } from '@laurel/runtime';
import { metricBucketAnswer, userMetric } from './answers/user-answer.ts';
import { knownMetric, QUERY_PORTS, type QueryPorts } from './ports.ts';
import { checkQuery, type Query as QueryRecord } from './query-parameters.ts';
import { summaryParameters } from './summary-parameters.ts';

@Controller('v1/users/:id')
export class UsersController {
  readonly #ports: QueryPorts;

  constructor(@Inject(QUERY_PORTS) ports: QueryPorts) {
    this.#ports = ports;
  }

  @Get()
  @RequiresScope('read')
  async profile(@Account() account: string, @Param('id') id: string, @Query() query: QueryRecord): Promise<UserAnswer> {
    const { profile } = await knownUser(this.#ports, account, id);
    checkQuery(query);
    return userAnswer(id, profile);
  }

  @Get('preferences')
  @RequiresScope('read')
  async preferences(
    @Account() account: string,
    @Param('id') id: string,
    @Query() query: QueryRecord,
  ): Promise<PreferencesAnswer> {
    const { profile } = await knownUser(this.#ports, account, id);
    checkQuery(query);
    return preferencesAnswer(profile.notifications);
  }

  @Get('metrics')
  @RequiresScope('read')
  metrics(@Account() account: string, @Param('id') id: string, @Query() query: QueryRecord): Promise<UserMetric[]> {
    return this.#metrics(account, id, query, () => this.#ports.configuration(account).current.metrics);
  }

  @Get('metrics/:key')
  @RequiresScope('read')
  async metric(
    @Account() account: string,
    @Param('id') id: string,
    @Param('key') key: string,
    @Query() query: QueryRecord,
  ): Promise<UserMetric | undefined> {
    const [metric] = await this.#metrics(account, id, query, () => [knownMetric(this.#ports, account, key)]);
    return metric;
  }

  @Get('metrics/:key/event-summary')
  @RequiresScope('read')
  async metricSummary(
    @Account() account: string,
    @Param('id') id: string,
    @Param('key') key: string,
    @Query() query: QueryRecord,
  ): Promise<MetricBucketAnswer[]> {
    const { subject } = await knownUser(this.#ports, account, id);
    knownMetric(this.#ports, account, key);
    const { aggregation, from, to } = summaryParameters(query);
    const { weekStart } = this.#ports.configuration(account).current;
    const rule = { frequency: aggregation, weekStart };
    const buckets = await this.#ports.users.metricSummary(account, subject, key, { rule, from, to });
    return buckets.map(metricBucketAnswer);
  }

  /** `choose` is asked once the user is known: an unknown user comes before an unknown metric. */
  async #metrics(
    account: string,
    id: string,
    query: QueryRecord,
    choose: () => readonly Metric[],
  ): Promise<UserMetric[]> {
    const { subject, profile } = await knownUser(this.#ports, account, id);
    const metrics = choose();
    checkQuery(query);
    const completed = await this.#ports.achievements.completedBy(account, subject);
    const configuration = this.#ports.configuration(account).current;
    return metrics.map((metric) => userMetric(metric, profile, completed, configuration));
  }
}
