import type {
  BoardsApplied,
  BoardsArea,
  BoardsLayer,
  Configuration,
  EffectList,
  MissingRuns,
  Occasion,
} from '@laurel/kernel';
import { withRuns } from '@laurel/engine';

/** Applies an event to a layer of the boards, loading missing runs first. */
export const applyBoards = (
  boards: BoardsArea,
  layer: BoardsLayer,
  occasion: Occasion,
  configuration: Configuration,
  emitter: EffectList,
  wantsAnswer = true,
): Promise<BoardsApplied> => loaded(boards, () => layer.apply(occasion, configuration, emitter, wantsAnswer));

/** The changes of boards once their missing runs are loaded. */
export const loaded = <Answer extends object>(
  boards: Pick<BoardsArea, 'load'>,
  ask: () => Answer | MissingRuns,
): Promise<Answer> => withRuns({ load: (runs) => boards.load(runs) }, ask);
