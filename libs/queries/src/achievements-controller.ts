import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { knownUser, type ListedAchievement } from '@laurel/contracts';
import { Account, RequiresScope } from '@laurel/runtime';
import { type CompletionCounts, listedAchievement } from './answers/achievement-answer.ts';
import { QUERY_PORTS, type QueryPorts } from './ports.ts';
import { checkQuery, QueryParameters, type Query as QueryRecord } from './query-parameters.ts';

@Controller('v1')
export class AchievementsController {
  readonly #ports: QueryPorts;

  constructor(@Inject(QUERY_PORTS) ports: QueryPorts) {
    this.#ports = ports;
  }

  @Get('achievements')
  @RequiresScope('read')
  async all(@Account() account: string, @Query() query: QueryRecord): Promise<ListedAchievement[]> {
    checkQuery(query);
    const configuration = this.#ports.configuration(account).current;
    const counts = await this.#counts(account);
    return configuration.achievements.map((definition) => listedAchievement(definition, null, configuration, counts));
  }

  @Get('users/:id/achievements')
  @RequiresScope('read')
  async ofUser(
    @Account() account: string,
    @Param('id') id: string,
    @Query() query: QueryRecord,
  ): Promise<ListedAchievement[]> {
    const { subject } = await knownUser(this.#ports, account, id);
    const parameters = new QueryParameters(query);
    const includeIncomplete = parameters.flag('includeIncomplete');
    parameters.check();
    const configuration = this.#ports.configuration(account).current;
    const [completed, counts] = await Promise.all([
      this.#ports.achievements.completedBy(account, subject),
      this.#counts(account),
    ]);
    return configuration.achievements
      .filter(({ key }) => includeIncomplete || completed.has(key))
      .map((definition) => listedAchievement(definition, completed.get(definition.key) ?? null, configuration, counts));
  }

  async #counts(account: string): Promise<CompletionCounts> {
    const [users, completions] = await Promise.all([
      this.#ports.users.count(account),
      this.#ports.achievements.counts(account),
    ]);
    return { users, completions };
  }
}
