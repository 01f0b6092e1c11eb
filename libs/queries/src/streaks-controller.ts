import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { formatInstant, type Instant } from '@laurel/calendar';
import type { RankedStreak, UserStreak } from '@laurel/contracts';
import { Account, RequiresScope } from '@laurel/runtime';
import { userStreak } from './answers/streak-answer.ts';
import { findUser, knownUser, QUERY_PORTS, type QueryPorts } from './ports.ts';
import { QueryParameters, type Query as QueryRecord } from './query-parameters.ts';

@Controller('v1')
export class StreaksController {
  readonly #ports: QueryPorts;

  constructor(@Inject(QUERY_PORTS) ports: QueryPorts) {
    this.#ports = ports;
  }

  @Get('users/:id/streak')
  @RequiresScope('read')
  async ofUser(@Account() account: string, @Param('id') id: string, @Query() query: QueryRecord): Promise<UserStreak> {
    const { subject } = await knownUser(this.#ports, account, id);
    const parameters = new QueryParameters(query);
    const periods = parameters.integer('historyPeriods', { min: 1, max: 366, fallback: 7 });
    parameters.check();
    const { streaks, clock, configuration } = this.#ports;
    const at = clock.now();
    const [view, history] = await Promise.all([
      streaks.view(account, subject, at),
      streaks.history(account, subject, at, periods),
    ]);
    return userStreak(view, history, configuration(account).current.streak?.freezes ?? null);
  }

  /** Longest first; equal ones in the order asked for. */
  @Get('streaks')
  @RequiresScope('read')
  async ofUsers(@Account() account: string, @Query() query: QueryRecord): Promise<RankedStreak[]> {
    const parameters = new QueryParameters(query);
    const userIds = parameters.list('userIds', 100);
    parameters.check();
    const at = this.#ports.clock.now();
    const streaks = await Promise.all(userIds.map((userId) => this.#streakOf(account, userId, at)));
    return streaks.sort((one, other) => other.streakLength - one.streakLength);
  }

  async #streakOf(account: string, userId: string, at: Instant): Promise<RankedStreak> {
    const user = await findUser(this.#ports, account, userId);
    if (user === null) return { userId, streakLength: 0, extended: null };
    const { length, extendedAt } = await this.#ports.streaks.view(account, user.subject, at);
    return { userId, streakLength: length, extended: extendedAt === null ? null : formatInstant(extendedAt) };
  }
}
