import { Controller } from '@nestjs/common';
import { type Instant, localDate } from '@laurel/calendar';
import type { LeaderboardDefinition, BoardRanking, BoardRun } from '@laurel/kernel';
import {
  isUserId,
  knownUser,
  type LeaderboardAnswer,
  type ListedLeaderboard,
  type UserLeaderboard,
  operations,
} from '@laurel/schemas';
import { Route } from '@laurel/runtime';
import { leaderboardAnswer, listedLeaderboard, userLeaderboard, type ShownRun } from './answers/leaderboard-answer.ts';
import { askedRun } from './asked-run.ts';
import { knownBoard, type QueryPorts } from './ports.ts';
import { QueryParameters } from './query-parameters.ts';
import { Read, type ReadCall } from './read-call.ts';

interface Page {
  readonly offset: number;
  readonly limit: number;
  /** The user whose place the offset counts from, or null to count from the first place. */
  readonly userId: string | null;
}

@Controller()
export class LeaderboardsController {
  @Route(operations.listLeaderboards)
  all(@Read() { ports, account, query }: ReadCall): ListedLeaderboard[] {
    const parameters = new QueryParameters(query);
    const includeFinished = parameters.flag('includeFinished');
    parameters.check();
    const at = ports.clock.now();
    return ports
      .configuration(account)
      .current.leaderboards.map((board) => listedLeaderboard(board, statusOf(ports, account, board, at)))
      .filter(({ status }) => includeFinished || status !== 'finished');
  }

  @Route(operations.getLeaderboard)
  async rankings(@Read() { ports, account, path, query }: ReadCall<'key'>): Promise<LeaderboardAnswer> {
    const board = knownBoard(ports, account, path.key);
    const parameters = new QueryParameters(query);
    const at = ports.clock.now();
    const run = askedRun({ ports, account, board, at, today: null }, parameters);
    const page: Page = {
      offset: parameters.integer('offset', { min: 0, max: 2 ** 31 - 1, fallback: 0 }),
      limit: parameters.integer('limit', { min: 0, max: 1_000, fallback: 10 }),
      userId: parameters.text('userId'),
    };
    parameters.check();
    const shown = run === null ? null : await shownRun(ports, account, board, run);
    const rankings = run === null ? [] : await pageOf(ports, { account, key: board.key, run }, page);
    const subjects = rankings.map(({ subject }) => subject);
    const [ids, names] = await Promise.all([
      ports.directory.idsOf(account, subjects),
      ports.users.names(account, subjects),
    ]);
    return leaderboardAnswer(board, statusOf(ports, account, board, at), { run: shown, rankings, ids, names });
  }

  @Route(operations.getUserLeaderboard)
  async ofUser(@Read() { ports, account, path, query }: ReadCall<'id' | 'key'>): Promise<UserLeaderboard> {
    const { subject, profile } = await knownUser(ports, account, path.id);
    const board = knownBoard(ports, account, path.key);
    const parameters = new QueryParameters(query);
    const at = ports.clock.now();
    const zone = profile.tz ?? 'UTC';
    const run = askedRun({ ports, account, board, at, today: localDate(at, zone) }, parameters);
    const numEvents = parameters.integer('numEvents', { min: 0, max: 100, fallback: 10 });
    parameters.check();
    if (run === null) return userLeaderboard(board, { run: null, rank: null, value: null, history: [] }, zone);
    const { leaderboards } = ports;
    const [shown, standing, history] = await Promise.all([
      shownRun(ports, account, board, run),
      leaderboards.standing(account, board.key, run, subject),
      numEvents === 0 ? [] : leaderboards.history({ account, subject }, board.key, run, numEvents),
    ]);
    return userLeaderboard(board, { run: shown, rank: standing.rank, value: standing.value, history }, zone);
  }
}

const statusOf = ({ leaderboards }: QueryPorts, account: string, board: LeaderboardDefinition, at: Instant) =>
  leaderboards.status(account, board.key, at);

const shownRun = async (
  { leaderboards }: QueryPorts,
  account: string,
  board: LeaderboardDefinition,
  run: BoardRun,
): Promise<ShownRun> => ({ ...run, changedAt: await leaderboards.changedAt(account, board.key, run) });

/** Empty if the page begins at the place of a user who is not ranked (specification, section 7). */
async function pageOf(
  { directory, leaderboards }: QueryPorts,
  { account, key, run }: { readonly account: string; readonly key: string; readonly run: BoardRun },
  { offset, limit, userId }: Page,
): Promise<readonly BoardRanking[]> {
  if (limit === 0) return [];
  if (userId === null) return leaderboards.rankings(account, key, run, { offset, limit });
  const subject = isUserId(userId) ? await directory.find(account, userId) : null;
  if (subject === null) return [];
  const { rank } = await leaderboards.standing(account, key, run, subject);
  return rank === null ? [] : leaderboards.rankings(account, key, run, { offset: rank - 1 + offset, limit });
}
