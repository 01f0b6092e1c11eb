import type { BoardsArea, BoardsLayer } from '@laurel/contracts';

const LAYER: BoardsLayer = {
  apply: () => ({ section: null, rows: new Map() }),
  view: () => ({ boards: [] }),
  publish: () => undefined,
  discard: () => undefined,
};

/** For a rebuild that ends before the leaderboards. */
export const NO_BOARDS: BoardsArea = {
  name: 'leaderboards',
  stateVersion: 0,
  tables: [],
  needs: [],
  load: () => Promise.resolve(),
  openLayer: () => LAYER,
  forget: () => undefined,
};
