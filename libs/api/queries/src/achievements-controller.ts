import { Controller } from '@nestjs/common';
import type { Amount } from '@laurel/amounts';
import { requiresEvent, type AchievementDefinition, type Subject } from '@laurel/kernel';
import { knownUser, type ListedAchievement, operations, type UserAchievementAnswer } from '@laurel/schemas';
import { Route } from '@laurel/runtime';
import { type CompletionCounts, listedAchievement, userAchievement } from './answers/achievement-answer.ts';
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
    const at = ports.clock.now();
    return configuration.achievements
      .filter(({ hidden }) => !hidden)
      .map((definition) => listedAchievement(definition, null, counts, at));
  }

  @Route(operations.listUserAchievements)
  async ofUser(@Read() { ports, account, path, query }: ReadCall<'id'>): Promise<UserAchievementAnswer[]> {
    const { subject, profile } = await knownUser(ports, account, path.id);
    const parameters = new QueryParameters(query);
    const includeIncomplete = parameters.flag('includeIncomplete');
    parameters.check();
    const { achievements } = ports.configuration(account).current;
    // Completed ones do not depend on the length that the streak has now.
    const [completed, streakLength, sums, counts] = await Promise.all([
      ports.achievements.completedBy(account, subject),
      includeIncomplete && achievements.some(countsStreak) ? streakLengthOf(ports, account, subject) : 0,
      includeIncomplete && achievements.some(({ where }) => requiresEvent(where))
        ? ports.achievements.matchingSums(account, subject)
        : NO_SUMS,
      completionCounts(ports, account),
    ]);
    const standing = { totals: profile.totals, streakLength, sums, completed };
    const at = ports.clock.now();
    return achievements
      .filter(({ key, hidden }) => completed.has(key) || (includeIncomplete && !hidden))
      .map((definition) => userAchievement(definition, standing, counts, at));
  }
}

const NO_SUMS: ReadonlyMap<string, Amount> = new Map();

const countsStreak = ({ trigger }: AchievementDefinition): boolean => trigger.type === 'streak';

async function streakLengthOf({ streaks, clock }: QueryPorts, account: string, subject: Subject): Promise<number> {
  return (await streaks.view(account, subject, clock.now())).length;
}

async function completionCounts({ users, achievements }: QueryPorts, account: string): Promise<CompletionCounts> {
  const [count, completions] = await Promise.all([users.count(account), achievements.counts(account)]);
  return { users: count, completions };
}
