import { Controller, Param, Query, Req } from '@nestjs/common';
import { isUserId, knownUser, type RankedStreak, type UserStreak, operations } from '@laurel/schemas';
import { Account, Route } from '@laurel/runtime';
import type { FastifyRequest } from 'fastify';
import { rankedStreak, userStreak } from './answers/streak-answer.ts';
import type { QueryPorts } from './ports.ts';
import { Ports } from './ports-of-caller.ts';
import { QueryParameters, type Query as QueryRecord } from './query-parameters.ts';

@Controller()
export class StreaksController {
  @Route(operations.getUserStreak)
  async ofUser(
    @Ports() ports: QueryPorts,
    @Account() account: string,
    @Param('id') id: string,
    @Query() query: QueryRecord,
  ): Promise<UserStreak> {
    const { subject } = await knownUser(ports, account, id);
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

  /** Longest first; equal ones in the order asked for. */
  @Route(operations.listStreaks)
  async ofUsers(
    @Ports() ports: QueryPorts,
    @Account() account: string,
    @Query() query: QueryRecord,
    @Req() { url }: FastifyRequest,
  ): Promise<RankedStreak[]> {
    const parameters = new QueryParameters(query);
    const userIds = parameters.list('userIds', 100, url);
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
