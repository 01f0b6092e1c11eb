import type {
  BoardsApplied,
  BoardsArea,
  BoardsLayer,
  Configuration,
  MissingRuns,
  Occasion,
  Sink,
} from '@laurel/contracts';

/** Applies an occasion to a layer of the boards, whose runs are loaded first if they are missing. */
export const applyBoards = (
  boards: BoardsArea,
  layer: BoardsLayer,
  occasion: Occasion,
  configuration: Configuration,
  sink: Sink,
): Promise<BoardsApplied> => loaded(boards, () => layer.apply(occasion, configuration, sink, true));

/** What `apply` answers once the runs that it misses are loaded. */
export async function loaded(
  boards: Pick<BoardsArea, 'load'>,
  apply: () => BoardsApplied | MissingRuns,
): Promise<BoardsApplied> {
  for (let tries = 0; tries < 2; tries++) {
    const applied = apply();
    if (!('missing' in applied)) return applied;
    await boards.load(applied.missing);
  }
  throw new Error('a run is still missing');
}
