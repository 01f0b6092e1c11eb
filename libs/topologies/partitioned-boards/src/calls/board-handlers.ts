import { ZERO } from '@laurel/amounts';
import type { Subject } from '@laurel/kernel';
import { pause, type Clock } from '@laurel/ports';
import type { LeaderboardsArea } from '@laurel/leaderboards';
import type { CallHandler, CallHandlers, OwnerAnswer } from '@laurel/processes';
import {
  RANKINGS,
  STANDINGS,
  type RunQuery,
  type Rankings,
  type RankingsRequest,
  type StandingInRun,
  type StandingsRequest,
} from './board-requests.ts';

/** The boards of an owned partition. */
export interface PartitionBoards {
  readonly area: Pick<LeaderboardsArea, 'committed'>;
  /** The last message number of the source that `area` has applied. @throws StoreUnavailableError */
  received(source: number): Promise<number>;
}

/** null if another instance owns the partition. */
export type BoardsOf = (partition: number) => PartitionBoards | null;

const LOOK_AGAIN_MS = 10;

/** Handles the requests of query gateways, from the committed standings in memory. */
export const boardHandlers = (boardsOf: BoardsOf, clock: Clock): CallHandlers =>
  new Map<string, CallHandler>([
    [RANKINGS, (payload) => ofOwner(boardsOf, payload as RankingsRequest, rankings)],
    [STANDINGS, (payload) => standingsAfter(boardsOf, payload as StandingsRequest, clock)],
  ]);

type Boards = PartitionBoards['area'];

async function ofOwner<Q extends { readonly partition: number }, T>(
  boardsOf: BoardsOf,
  request: Q,
  answer: (area: Boards, request: Q) => Promise<T>,
): Promise<OwnerAnswer<T>> {
  const boards = boardsOf(request.partition);
  return boards === null ? { owned: false } : { owned: true, answer: await answer(boards.area, request) };
}

/** @throws Error if the partition does not apply the message of the request within its limit */
async function standingsAfter(boardsOf: BoardsOf, request: StandingsRequest, clock: Clock) {
  const { partition, after = { source: 0, sequence: 0, limitMs: 0 } } = request;
  const deadlineMs = clock.elapsedMs() + after.limitMs;
  for (;;) {
    const boards = boardsOf(partition);
    if (boards === null) return { owned: false };
    if (after.sequence === 0 || (await boards.received(after.source)) >= after.sequence) break;
    if (clock.elapsedMs() >= deadlineMs) throw new Error(`partition ${partition} has not applied the event yet`);
    await pause(clock, LOOK_AGAIN_MS);
  }
  return ofOwner(boardsOf, request, standings);
}

async function rankings(area: Boards, { run, offset, limit }: RankingsRequest): Promise<Rankings> {
  return (await area.committed(run))?.rankings(offset, limit, run.maxParticipants) ?? [];
}

function standings(area: Boards, { runs, subject }: StandingsRequest): Promise<readonly StandingInRun[]> {
  return Promise.all(runs.map((run) => standingIn(area, run, subject)));
}

async function standingIn(area: Boards, run: RunQuery, subject: Subject): Promise<StandingInRun> {
  const committed = await area.committed(run);
  if (committed === null) return { rank: null, value: null, threshold: ZERO };
  const standing = committed.get(subject);
  const [last] = committed.rankings(run.maxParticipants - 1, 1, run.maxParticipants);
  return {
    rank: committed.rank(subject, run.maxParticipants),
    value: standing === undefined ? null : BigInt(standing.score),
    threshold: last?.value ?? ZERO,
  };
}
