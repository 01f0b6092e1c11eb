import { Controller, Get, Inject, Param } from '@nestjs/common';
import type { Metric, UserAnswer, UserMetric } from '@laurel/contracts';
import { Account, RequiresScope } from '@laurel/runtime';
import { userAnswer, userMetric } from './answers/user-answer.ts';
import { knownMetric, knownUser, QUERY_PORTS, type QueryPorts } from './ports.ts';

@Controller('v1/users/:id')
export class UsersController {
  readonly #ports: QueryPorts;

  constructor(@Inject(QUERY_PORTS) ports: QueryPorts) {
    this.#ports = ports;
  }

  @Get()
  @RequiresScope('read')
  async profile(@Account() account: string, @Param('id') id: string): Promise<UserAnswer> {
    return userAnswer(await knownUser(this.#ports, account, id));
  }

  @Get('metrics')
  @RequiresScope('read')
  metrics(@Account() account: string, @Param('id') id: string): Promise<UserMetric[]> {
    return this.#metrics(account, id, () => this.#ports.configuration(account).current.metrics);
  }

  @Get('metrics/:key')
  @RequiresScope('read')
  async metric(
    @Account() account: string,
    @Param('id') id: string,
    @Param('key') key: string,
  ): Promise<UserMetric | undefined> {
    const [metric] = await this.#metrics(account, id, () => [knownMetric(this.#ports, account, key)]);
    return metric;
  }

  /** `choose` is asked once the user is known: an unknown user comes before an unknown metric. */
  async #metrics(account: string, id: string, choose: () => readonly Metric[]): Promise<UserMetric[]> {
    const profile = await knownUser(this.#ports, account, id);
    const metrics = choose();
    const completed = await this.#ports.achievements.completedBy(account, id);
    const configuration = this.#ports.configuration(account).current;
    return metrics.map((metric) => userMetric(metric, profile, completed, configuration));
  }
}
