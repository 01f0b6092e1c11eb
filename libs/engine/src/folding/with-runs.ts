import type { BoardsArea, MissingRuns, RunKey } from '@laurel/kernel';

/**
 * Repeats work on the boards until all runs that it needs are loaded. Folds load runs nowhere else.
 * @param turn does the work; if runs are missing, it returns them and changes nothing. May be called many times.
 * @throws errors of `load`; LoadError if a run is still missing after it was loaded
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

/** The standings of a run could not be read. */
export class LoadError extends Error {
  override readonly name = 'LoadError';
}
