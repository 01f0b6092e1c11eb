import { Controller, Inject, Param, Query } from '@nestjs/common';
import { parseDate, type LocalDate } from '@laurel/calendar';
import {
  MOST_LENGTHS,
  type DaysAnswer,
  type LeaderboardRunPage,
  type StreakSurvivalAnswer,
  operations,
} from '@laurel/schemas';
import { Account, Route } from '@laurel/runtime';
import { daysAnswer } from './answers/days-answer.ts';
import { instantOrNull } from './answers/leaderboard-answer.ts';
import { knownBoard, QUERY_PORTS, type QueryPorts } from './ports.ts';
import { checkQuery, QueryParameters, type Query as QueryRecord } from './query-parameters.ts';
import { dayRange } from './summary-parameters.ts';

/** What is counted over all users (specification, section 9.20). */
@Controller()
export class CountsController {
  readonly #ports: QueryPorts;

  constructor(@Inject(QUERY_PORTS) ports: QueryPorts) {
    this.#ports = ports;
  }

  /** Three statements, however many metrics and systems are configured. */
  @Route(operations.listDays)
  async days(@Account() account: string, @Query() query: QueryRecord): Promise<DaysAnswer> {
    const range = dayRange(query);
    const { users, points, configuration } = this.#ports;
    const { metricByKey, pointsSystemByKey } = configuration(account).current;
    const [ofUsers, ofMetrics, ofSystems] = await Promise.all([
      users.dayCounts(account, range),
      users.metricDayCounts(account, [...metricByKey.keys()], range),
      points.dayCounts(account, [...pointsSystemByKey.keys()], range),
    ]);
    return daysAnswer(range, { users: ofUsers, metrics: ofMetrics, points: ofSystems });
  }

  @Route(operations.getStreakSurvival)
  async survival(@Account() account: string, @Query() query: QueryRecord): Promise<StreakSurvivalAnswer> {
    checkQuery(query);
    const { streaks, configuration } = this.#ports;
    const { lengths, longest } = await streaks.survival(account, MOST_LENGTHS);
    return { frequency: configuration(account).current.streak?.frequency ?? null, lengths: [...lengths], longest };
  }

  @Route(operations.listLeaderboardRuns)
  async runs(
    @Account() account: string,
    @Param('key') key: string,
    @Query() query: QueryRecord,
  ): Promise<LeaderboardRunPage> {
    const board = knownBoard(this.#ports, account, key);
    const parameters = new QueryParameters(query);
    const limit = parameters.integer('limit', { min: 1, max: 40, fallback: 20 });
    const cursor = parameters.text('cursor');
    const before = cursor === null ? null : startIn(cursor);
    if (before === undefined) parameters.refuse('cursor', 'must be `next` of a page of this route');
    parameters.check();
    const { leaderboards, clock } = this.#ports;
    const runs = await leaderboards.runs(account, board.key, clock.now(), { before: before ?? null, limit: limit + 1 });
    const shown = runs.slice(0, limit);
    const last = runs.length > limit ? shown.at(-1) : undefined;
    return {
      runs: shown.map(({ isFinal, changedAt, ...run }) => ({
        ...{ ...run, final: isFinal, changedAt: instantOrNull(changedAt) },
      })),
      next: last === undefined ? null : cursorBefore(last.start),
    };
  }
}

const cursorBefore = (start: LocalDate): string => Buffer.from(`runs:${start}`).toString('base64url');

function startIn(cursor: string): LocalDate | undefined {
  const [, text = ''] = /^runs:(\d{4}-\d\d-\d\d)$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  return parseDate(text) ?? undefined;
}
