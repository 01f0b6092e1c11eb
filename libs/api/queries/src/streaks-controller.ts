import { Controller } from '@nestjs/common';
import { isUserId, knownUser, type RankedStreak, type UserStreak, operations } from '@laurel/schemas';
import { Route } from '@laurel/runtime';
import { rankedStreak, userStreak } from './answers/streak-answer.ts';
import { QueryParameters } from './query-parameters.ts';
import { Read, type ReadCall } from './read-call.ts';

@Controller()
export class StreaksController {
  @Route(operations.getUserStreak)
  async ofUser(@Read() { ports, account, path, query }: ReadCall<'id'>): Promise<UserStreak> {
    const { subject } = await knownUser(ports, account, path.id);
    const parameters = new QueryParameters(query);
    const periods = parameters.integer('historyPeriods', { min: 1, max: 366, fallback: 7 });
    parameters.check();
    const { streaks, clock, configuration } = ports;
    const at = clock.now();
    const [view, history] = await Promise.all([
      streaks.view(account, subject, at),
      streaks.history(account, subject, at, periods),
    ]);
    return userStreak(view, history, configuration(account).current.streak?.freezes ?? null);
  }

  /** Sorted by length, longest first, then in the order of `userIds`. */
  @Route(operations.listStreaks)
  async ofUsers(@Read() { ports, account, query, request }: ReadCall): Promise<RankedStreak[]> {
    const parameters = new QueryParameters(query);
    const userIds = parameters.list('userIds', 100, request.url);
    parameters.check();
    const { directory, streaks, clock } = ports;
    const subjects = await directory.findAll(account, userIds.filter(isUserId));
    const lengths = await streaks.lengths(account, [...subjects.values()], clock.now());
    const lengthOf = (userId: string) => {
      const subject = subjects.get(userId);
      return subject === undefined ? undefined : lengths.get(subject);
    };
    return userIds
      .map((userId) => rankedStreak(userId, lengthOf(userId)))
      .sort((one, other) => other.streakLength - one.streakLength);
  }
}
