import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { daysBetween, type LocalDate } from '@laurel/calendar';
import {
  jsonInteger,
  type LevelAnswer,
  type PointsBucketAnswer,
  type PointsSystemAnswer,
  type UserPoints,
} from '@laurel/contracts';
import { Account, RequiresScope } from '@laurel/runtime';
import { levelAnswer, pointsSystemAnswer, userPoints } from './answers/points-answer.ts';
import { knownSystem, knownUser, QUERY_PORTS, type QueryPorts } from './ports.ts';
import { QueryParameters, type Query as QueryRecord } from './query-parameters.ts';

/** Dates in one summary. */
const LONGEST_SUMMARY = 400;

@Controller('v1')
export class PointsController {
  readonly #ports: QueryPorts;

  constructor(@Inject(QUERY_PORTS) ports: QueryPorts) {
    this.#ports = ports;
  }

  @Get('users/:id/points/:key')
  @RequiresScope('read')
  async userPoints(
    @Account() account: string,
    @Param('id') id: string,
    @Param('key') key: string,
    @Query() query: QueryRecord,
  ): Promise<UserPoints> {
    await knownUser(this.#ports, account, id);
    const system = knownSystem(this.#ports, account, key);
    const parameters = new QueryParameters(query);
    const limit = parameters.integer('awards', { min: 1, max: 100, fallback: 10 });
    parameters.check();
    const { points, clock, configuration } = this.#ports;
    const at = clock.now();
    const [total, awards] = await Promise.all([
      points.total(account, id, key, at),
      points.awards(account, id, key, at, limit),
    ]);
    const history = configuration(account);
    return userPoints(system, total, awards, (triggerId) => history.findTrigger(triggerId));
  }

  @Get('users/:id/points/:key/event-summary')
  @RequiresScope('read')
  async summary(
    @Account() account: string,
    @Param('id') id: string,
    @Param('key') key: string,
    @Query() query: QueryRecord,
  ): Promise<PointsBucketAnswer[]> {
    await knownUser(this.#ports, account, id);
    knownSystem(this.#ports, account, key);
    const asked = summaryParameters(new QueryParameters(query));
    const buckets = await this.#ports.points.summary(account, id, key, this.#ports.clock.now(), asked);
    return buckets.map(({ date, total, change }) => ({ date, total: jsonInteger(total), change: jsonInteger(change) }));
  }

  @Get('points/:key')
  @RequiresScope('read')
  system(@Account() account: string, @Param('key') key: string): PointsSystemAnswer {
    return pointsSystemAnswer(knownSystem(this.#ports, account, key));
  }

  @Get('points/:key/levels')
  @RequiresScope('read')
  levels(@Account() account: string, @Param('key') key: string): LevelAnswer[] {
    return knownSystem(this.#ports, account, key).levels.map(levelAnswer);
  }
}

/** Both dates are required and inclusive (specification, section 6). @throws ProblemError 422 */
function summaryParameters(parameters: QueryParameters) {
  const aggregation = parameters.choice('aggregation', ['daily', 'weekly', 'monthly']);
  const from = requiredDate(parameters, 'start_date', 'startDate');
  const to = requiredDate(parameters, 'end_date', 'endDate');
  if (from !== null && to !== null) {
    if (to < from) parameters.refuse('end_date', 'must not be before start_date');
    else if (daysBetween(from, to) >= LONGEST_SUMMARY)
      parameters.refuse('end_date', `must be at most ${LONGEST_SUMMARY} days from start_date`);
  }
  parameters.check();
  if (from === null || to === null) throw new Error('a date that is missing was not refused');
  return { aggregation, from, to };
}

function requiredDate(parameters: QueryParameters, name: string, otherName: string): LocalDate | null {
  if (!parameters.isPresent(name) && !parameters.isPresent(otherName)) parameters.refuse(name, 'is required');
  return parameters.date(name, otherName);
}
