import type { BoardsArea, MissingRuns, RunKey } from '@laurel/kernel';
import { LoadError, withRuns } from '../folding/with-runs.ts';
import type { Batch } from './batch.ts';

/**
 * Runs the boards' work. If it needs a run that is not in memory, it waits for {@link takeTurns}, and so does all later
 * work.
 */
export function inTurn({ boardsWait }: Pick<Batch, 'boardsWait'>, turn: () => MissingRuns | null): void {
  if (boardsWait.length > 0 || turn() !== null) boardsWait.push(turn);
}

/**
 * Loads the missing runs, and lets the boards do the waiting work. Call it before adding to the batch if any work
 * waits.
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

/** An unreadable run is a failure of the store, not of the area: the batch is tried again later. */
async function loadRuns(boards: Pick<BoardsArea, 'load'>, runs: readonly RunKey[]): Promise<void> {
  try {
    await boards.load(runs);
  } catch (cause) {
    throw new LoadError('the standings of a run cannot be read', { cause });
  }
}

const DONE = {};
