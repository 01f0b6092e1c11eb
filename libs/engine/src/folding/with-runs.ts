import type { BoardsArea, MissingRuns, RunKey } from '@laurel/kernel';

/**
 * What the boards make of something once the runs that they lack are in memory. The only place that loads runs for a fold.
 * @param turn answers which runs are missing, and then has done nothing; it may be called again and again
 * @throws what `load` throws; LoadError if a run is still missing after it was loaded
 */
export async function withRuns<Made extends object>(
  { load }: { readonly load: BoardsArea['load'] },
  turn: () => Made | MissingRuns,
): Promise<Made> {
  let loaded: readonly RunKey[] = [];
  for (;;) {
    const made = turn();
    if (!('missing' in made)) return made;
    if (made.missing.some((run) => loaded.some((one) => one.board === run.board && one.start === run.start)))
      throw new LoadError('a run is not in memory though it was read');
    await load(made.missing);
    loaded = made.missing;
  }
}

/** The standings of a run cannot be read. */
export class LoadError extends Error {
  override readonly name = 'LoadError';
}
