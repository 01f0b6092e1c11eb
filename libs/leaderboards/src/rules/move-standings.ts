import { add, type Exact } from '@laurel/amounts';
import type { Occasion, Sink, Subject } from '@laurel/contracts';
import type { PlannedRun, RunContribution } from './leaderboards.ts';
import { rankOf, type RunStandings } from './run-standings.ts';
import type { Standing } from './standing.ts';

/** A user's own change of value in one run, with the ranks directly before and after it. */
interface Moved {
  readonly run: PlannedRun;
  readonly contribution: RunContribution;
  readonly before: Standing | undefined;
  readonly after: Standing;
  readonly previousRank: number | null;
  readonly rank: number | null;
}

/**
 * Applies the contributions of one occasion to the standings of its user, in their order, and emits a rank change for each that was due
 * before the event, and for what the event itself did to a run as a whole, one with its net effect; those that were due first, each in
 * configuration order of the boards.
 *
 * @param standingsOf the run's standings, with the user's kept for an undo
 */
export function moveStandings(
  contributions: readonly RunContribution[],
  { subject, position }: Occasion,
  standingsOf: (run: PlannedRun) => RunStandings,
  sink: Sink,
): void {
  const due: Moved[] = [];
  const own: Moved[] = [];
  for (const contribution of contributions) {
    const moved = move(contribution, subject, position, standingsOf(contribution.run));
    if (moved === null) continue;
    if (contribution.due) due.push(moved);
    else joinOwn(own, moved);
  }
  for (const moved of inOrder(due)) emit(moved, sink);
  for (const moved of inOrder(own)) if ((moved.before?.score ?? 0) !== moved.after.score) emit(moved, sink);
}

/** null for a change of 0, which reaches nothing. */
function move(
  contribution: RunContribution,
  subject: Subject,
  position: number,
  standings: RunStandings,
): Moved | null {
  const { run, change, sets, at, ordinal } = contribution;
  if (!Number.isSafeInteger(at)) throw new RangeError(`not an instant: ${at}`);
  const before = standings.get(subject);
  const present: Exact = before?.score ?? 0;
  const score = sets ? change : add(present, change);
  if (score === present) return null;
  const after: Standing = { subject, score, reachedAt: at, position, ordinal };
  const { aheadBefore, aheadAfter } = standings.put(subject, after);
  const { maxParticipants } = run.board;
  const previousRank = rankOf(aheadBefore, maxParticipants);
  return { run, contribution, before, after, previousRank, rank: rankOf(aheadAfter, maxParticipants) };
}

/** Of several changes of one run the first says what was before, the last what is after. */
function joinOwn(own: Moved[], moved: Moved): void {
  const place = own.findIndex(({ run }) => run.board === moved.run.board && run.day === moved.run.day);
  const earlier = own[place];
  if (earlier === undefined) own.push(moved);
  else own[place] = { ...moved, before: earlier.before, previousRank: earlier.previousRank };
}

const inOrder = (moves: Moved[]): readonly Moved[] =>
  moves.length < 2 ? moves : moves.sort((a, b) => a.run.board.place - b.run.board.place);

function emit({ run, contribution, before, after, previousRank, rank }: Moved, sink: Sink): void {
  sink.emit({
    type: 'RankChanged',
    board: run.board.key,
    run: run.day,
    at: contribution.at,
    ordinal: contribution.ordinal,
    previousRank,
    rank,
    previousValue: before?.score ?? null,
    value: after.score,
    due: contribution.due,
  });
}
