import { Controller } from '@nestjs/common';
import {
  MOST_LENGTHS,
  type DaysAnswer,
  type LeaderboardRunPage,
  type StreakSurvivalAnswer,
  operations,
} from '@laurel/schemas';
import { Route } from '@laurel/runtime';
import { daysAnswer } from './answers/days-answer.ts';
import { instantOrNull } from './answers/leaderboard-answer.ts';
import { RUN_CURSOR } from './cursors.ts';
import { knownBoard } from './ports.ts';
import { checkQuery, QueryParameters } from './query-parameters.ts';
import { Read, type ReadCall } from './read-call.ts';
import { dayRange } from './summary-parameters.ts';

/** Counts over all users (specification, section 9.20). */
@Controller()
export class CountsController {
  /** Takes three statements, however many metrics and systems are configured. */
  @Route(operations.listDays)
  async days(@Read() { ports, account, query }: ReadCall): Promise<DaysAnswer> {
    const range = dayRange(query);
    const { users, points, configuration } = ports;
    const { metricByKey, pointsSystemByKey } = configuration(account).current;
    const [ofUsers, ofMetrics, ofSystems] = await Promise.all([
      users.dayCounts(account, range),
      users.metricDayCounts(account, [...metricByKey.keys()], range),
      points.dayCounts(account, [...pointsSystemByKey.keys()], range),
    ]);
    return daysAnswer(range, { users: ofUsers, metrics: ofMetrics, points: ofSystems });
  }

  @Route(operations.getStreakSurvival)
  async survival(@Read() { ports, account, query }: ReadCall): Promise<StreakSurvivalAnswer> {
    checkQuery(query);
    const { lengths, longest } = await ports.streaks.survival(account, MOST_LENGTHS);
    const { streak } = ports.configuration(account).current;
    return { frequency: streak?.frequency ?? null, lengths: [...lengths], longest };
  }

  @Route(operations.listLeaderboardRuns)
  async runs(@Read() { ports, account, path, query }: ReadCall<'key'>): Promise<LeaderboardRunPage> {
    const board = knownBoard(ports, account, path.key);
    const parameters = new QueryParameters(query);
    const limit = parameters.integer('limit', { min: 1, max: 40, fallback: 20 });
    const before = parameters.cursor(RUN_CURSOR);
    parameters.check();
    const runs = await ports.leaderboards.runs(account, board.key, ports.clock.now(), { before, limit: limit + 1 });
    const shown = runs.slice(0, limit);
    const last = runs.length > limit ? shown.at(-1) : undefined;
    return {
      runs: shown.map(({ isFinal, changedAt, ...run }) => ({
        ...run,
        final: isFinal,
        changedAt: instantOrNull(changedAt),
      })),
      next: last === undefined ? null : RUN_CURSOR.write(last.start),
    };
  }
}
