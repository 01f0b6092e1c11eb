import type { BoardsArea, BoardsLayer, RunValues } from '@laurel/kernel';

const LAYER: BoardsLayer = {
  apply: () => ({ answerPart: null, changes: [], rows: new Map() }),
  view: () => ({ boards: [] }),
  correct: () => ({ rows: new Map(), next: null }),
  publish: () => undefined,
  discard: () => undefined,
};

const NO_VALUES: RunValues = { size: 0, add: () => undefined, clone: () => NO_VALUES };

/** Takes the place of the boards in a rebuild that ends before the leaderboards. */
export const NO_BOARDS: BoardsArea = {
  name: 'leaderboards',
  stateVersion: 0,
  tables: [],
  needs: [],
  newRunValues: () => NO_VALUES,
  runDifferences: () => [],
  runTurns: () => [],
  load: () => Promise.resolve(),
  openLayer: () => LAYER,
  forget: () => undefined,
};
