import { add, type Exact } from '@laurel/amounts';
import type { Instant } from '@laurel/calendar';
import type { PlannedRun, RunContribution } from '@laurel/contributions';
import type { Occasion, RankChanged, Subject } from '@laurel/kernel';
import { rankOf, type RunStandings } from './run-standings.ts';
import type { Standing } from './standing.ts';

/** The runs that were final when the cause was recorded. */
export const finalRuns = (
  runs: readonly PlannedRun[],
  { recordedAt }: { readonly recordedAt: Instant | null },
): readonly PlannedRun[] =>
  recordedAt !== null && runs.some(({ finalFrom }) => finalFrom <= recordedAt)
    ? runs.filter(({ finalFrom }) => finalFrom <= recordedAt)
    : NO_RUNS;

const NO_RUNS: readonly PlannedRun[] = [];

/** The operations on a run's standings that a move needs. */
export type MovedStandings = Pick<RunStandings, 'get' | 'put'>;

/** A user's own change of value in one run, with the ranks directly before and after it. */
interface Moved {
  readonly run: PlannedRun;
  readonly contribution: RunContribution;
  readonly before: Standing | undefined;
  readonly after: Standing;
  readonly previousRank: number | null;
  readonly rank: number | null;
  readonly participants: number;
}

/**
 * Applies the contributions of one event to the standings of its user, in order.
 *
 * @param standingsOf the run's standings, after the user's standing was kept for an undo
 * @returns first a rank change for each contribution that was due before the event, then one for each run with the net effect of the event
 *   itself, both in configuration order of the boards
 */
export function moveStandings(
  contributions: readonly RunContribution[],
  { subject, position }: Pick<Occasion, 'subject' | 'position'>,
  standingsOf: (run: PlannedRun) => MovedStandings,
): readonly RankChanged[] {
  const due: Moved[] = [];
  const own: Moved[] = [];
  for (const contribution of contributions) {
    const moved = move(contribution, subject, position, standingsOf(contribution.run));
    if (moved === null) continue;
    if (contribution.due) due.push(moved);
    else joinOwn(own, moved);
  }
  const changed = inOrder(own).filter(({ before, after }) => (before?.score ?? 0) !== after.score);
  return [...inOrder(due), ...changed].map(rankChanged);
}

/** null for a change of 0, which has no effect. */
function move(
  contribution: RunContribution,
  subject: Subject,
  position: number,
  standings: MovedStandings,
): Moved | null {
  const { run, change, sets, at, ordinal } = contribution;
  if (!Number.isSafeInteger(at)) throw new RangeError(`not an instant: ${at}`);
  const before = standings.get(subject);
  const present: Exact = before?.score ?? 0;
  const score = sets ? change : add(present, change);
  if (score === present) return null;
  const after: Standing = { subject, score, reachedAt: at, position, ordinal };
  const { aheadBefore, aheadAfter, participants } = standings.put(subject, after);
  const { maxParticipants } = run.board;
  const previousRank = rankOf(aheadBefore, maxParticipants);
  const rank = rankOf(aheadAfter, maxParticipants);
  return { run, contribution, before, after, previousRank, rank, participants };
}

/** Merges several changes of one run: the first has the old rank, the last the new one. */
function joinOwn(own: Moved[], moved: Moved): void {
  const place = own.findIndex(({ run }) => run.board === moved.run.board && run.day === moved.run.day);
  const earlier = own[place];
  if (earlier === undefined) own.push(moved);
  else own[place] = { ...moved, before: earlier.before, previousRank: earlier.previousRank };
}

const inOrder = (moves: Moved[]): readonly Moved[] =>
  isInOrder(moves) ? moves : moves.sort((a, b) => a.run.board.place - b.run.board.place);

/** Usually true, because the boards of one cause come in configuration order. */
function isInOrder(moves: readonly Moved[]): boolean {
  for (let index = 1; index < moves.length; index++)
    if ((moves[index - 1] as Moved).run.board.place > (moves[index] as Moved).run.board.place) return false;
  return true;
}

/** Takes the instant and `due` from the contribution. */
const rankChanged = ({ run, contribution, before, after, previousRank, rank, participants }: Moved): RankChanged => ({
  type: 'RankChanged',
  board: run.board.key,
  run: run.day,
  at: contribution.at,
  ordinal: contribution.ordinal,
  previousRank,
  rank,
  participants,
  previousValue: before?.score ?? null,
  value: after.score,
  due: contribution.due,
});
