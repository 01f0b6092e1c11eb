import type { BoardsArea, MissingRuns, RunKey } from '@laurel/kernel';
import { LoadError, withRuns } from '../folding/with-runs.ts';
import type { Batch } from './batch.ts';

/** What lacks a run waits for {@link takeTurns}, and so does all that comes behind it. */
export function inTurn({ boardsWait }: Pick<Batch, 'boardsWait'>, turn: () => MissingRuns | null): void {
  if (boardsWait.length > 0 || turn() !== null) boardsWait.push(turn);
}

/**
 * Loads the runs that the boards lack, and lets them do what has waited. To be called before the batch is added to, if anything waits.
 * @throws LoadError
 */
export async function takeTurns(
  { boardsWait }: Pick<Batch, 'boardsWait'>,
  boards: Pick<BoardsArea, 'load'>,
): Promise<void> {
  const load = (runs: readonly RunKey[]) => loadRuns(boards, runs);
  for (let turn = boardsWait[0]; turn !== undefined; turn = boardsWait[0]) {
    const take = turn;
    await withRuns({ load }, () => take() ?? DONE);
    boardsWait.shift();
  }
}

/** A run that cannot be read is the store's trouble, not the area's: the batch is tried again later. */
async function loadRuns(boards: Pick<BoardsArea, 'load'>, runs: readonly RunKey[]): Promise<void> {
  try {
    await boards.load(runs);
  } catch (cause) {
    throw new LoadError('the standings of a run cannot be read', { cause });
  }
}

const DONE = {};
