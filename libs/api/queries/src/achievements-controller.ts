import { Controller } from '@nestjs/common';
import { knownUser, type ListedAchievement, operations } from '@laurel/schemas';
import { Route } from '@laurel/runtime';
import { type CompletionCounts, listedAchievement } from './answers/achievement-answer.ts';
import type { QueryPorts } from './ports.ts';
import { checkQuery, QueryParameters } from './query-parameters.ts';
import { Read, type ReadCall } from './read-call.ts';

@Controller()
export class AchievementsController {
  @Route(operations.listAchievements)
  async all(@Read() { ports, account, query }: ReadCall): Promise<ListedAchievement[]> {
    checkQuery(query);
    const configuration = ports.configuration(account).current;
    const counts = await completionCounts(ports, account);
    return configuration.achievements
      .filter(({ hidden }) => !hidden)
      .map((definition) => listedAchievement(definition, null, counts));
  }

  @Route(operations.listUserAchievements)
  async ofUser(@Read() { ports, account, path, query }: ReadCall<'id'>): Promise<ListedAchievement[]> {
    const { subject } = await knownUser(ports, account, path.id);
    const parameters = new QueryParameters(query);
    const includeIncomplete = parameters.flag('includeIncomplete');
    parameters.check();
    const configuration = ports.configuration(account).current;
    const [completed, counts] = await Promise.all([
      ports.achievements.completedBy(account, subject),
      completionCounts(ports, account),
    ]);
    return configuration.achievements
      .filter(({ key, hidden }) => completed.has(key) || (includeIncomplete && !hidden))
      .map((definition) => listedAchievement(definition, completed.get(definition.key) ?? null, counts));
  }
}

async function completionCounts({ users, achievements }: QueryPorts, account: string): Promise<CompletionCounts> {
  const [count, completions] = await Promise.all([users.count(account), achievements.counts(account)]);
  return { users: count, completions };
}
