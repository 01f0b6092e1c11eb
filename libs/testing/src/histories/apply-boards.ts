import type { BoardsApplied, BoardsArea, BoardsLayer, Configuration, Occasion, Sink } from '@laurel/contracts';

/** Applies an occasion to a layer of the boards, whose runs are loaded first if they are missing. */
export async function applyBoards(
  boards: BoardsArea,
  layer: BoardsLayer,
  occasion: Occasion,
  configuration: Configuration,
  sink: Sink,
): Promise<BoardsApplied> {
  for (let tries = 0; tries < 2; tries++) {
    const applied = layer.apply(occasion, configuration, sink, true);
    if (!('missing' in applied)) return applied;
    await boards.load(applied.missing);
  }
  throw new Error('a run is still missing');
}
