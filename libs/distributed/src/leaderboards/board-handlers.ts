import { ZERO } from '@laurel/amounts';
import type { LeaderboardsArea } from '@laurel/leaderboards';
import type { CallHandler, CallHandlers } from '../internal-calls/index.ts';
import type { OwnerAnswer } from '../owners/index.ts';
import {
  RANKINGS,
  STANDINGS,
  type AskedRun,
  type Rankings,
  type RankingsQuestion,
  type StandingInRun,
  type StandingsQuestion,
} from './board-questions.ts';

/** The boards of a partition; null: another instance owns it. */
export type BoardsOf = (partition: number) => { readonly area: Pick<LeaderboardsArea, 'committed'> } | null;

/** What the query gateways ask a leaderboard service: ranks from the committed standings in memory. */
export const boardHandlers = (boardsOf: BoardsOf): CallHandlers =>
  new Map<string, CallHandler>([
    [RANKINGS, (payload) => ofOwner(boardsOf, payload as RankingsQuestion, rankings)],
    [STANDINGS, (payload) => ofOwner(boardsOf, payload as StandingsQuestion, standings)],
  ]);

type Boards = Pick<LeaderboardsArea, 'committed'>;

async function ofOwner<Q extends { readonly partition: number }, T>(
  boardsOf: BoardsOf,
  question: Q,
  answer: (area: Boards, question: Q) => Promise<T>,
): Promise<OwnerAnswer<T>> {
  const boards = boardsOf(question.partition);
  return boards === null ? { owned: false } : { owned: true, answer: await answer(boards.area, question) };
}

async function rankings(area: Boards, { run, offset, limit }: RankingsQuestion): Promise<Rankings> {
  return (await area.committed(run))?.rankings(offset, limit, run.maxParticipants) ?? [];
}

function standings(area: Boards, { runs, userId }: StandingsQuestion): Promise<readonly StandingInRun[]> {
  return Promise.all(runs.map((run) => standingIn(area, run, userId)));
}

async function standingIn(area: Boards, run: AskedRun, userId: string): Promise<StandingInRun> {
  const committed = await area.committed(run);
  if (committed === null) return { rank: null, value: null, threshold: ZERO };
  const standing = committed.get(userId);
  const [last] = committed.rankings(run.maxParticipants - 1, 1, run.maxParticipants);
  return {
    rank: committed.rank(userId, run.maxParticipants),
    value: standing === undefined ? null : BigInt(standing.score),
    threshold: last?.value ?? ZERO,
  };
}
