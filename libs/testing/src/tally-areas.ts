import type {
  AreaTable,
  BoardsArea,
  BoardsLayer,
  ChainMessage,
  LeaderboardsSection,
  UserArea,
} from '@laurel/contracts';
import type { AnyUserArea } from '@laurel/projections';

/** What a tally area says of a message: how many records of the user it has seen, and the sum of their values. */
export interface Tally {
  readonly count: number;
  readonly sum: string;
}

/** The record on which an area throws; mutable, so that a test can repair it. */
export interface Trap {
  throwsOn: (message: ChainMessage) => boolean;
}

/** An area that does nothing but count: for tests of the engine, which must not care what areas do. */
export function tallyArea(name: 'users' | 'streaks' | 'points', trap: Trap = { throwsOn: () => false }): AnyUserArea {
  const table: AreaTable = { name: `${name}_rows`, onConflict: '' };
  const area: UserArea<Tally, Tally> = {
    name,
    stateVersion: 1,
    tables: [table],
    initial: () => ({ count: 0, sum: '0' }),
    project: (state, message) => {
      if (trap.throwsOn(message)) throw new Error(`${name} cannot apply ${message.record.position}`);
      const { fact, position } = message.record;
      const value = fact.type === 'MetricEventRecorded' ? fact.value : 0n;
      const next = { count: state.count + 1, sum: String(BigInt(state.sum) + value) };
      return { state: next, section: next, rows: new Map([[table.name, [{ position, ...next }]]]) };
    },
    view: (state) => state,
    encode: (state) => state,
    decode: (json) => {
      if (typeof (json as Tally).count !== 'number') throw new TypeError(`${name} cannot read its state`);
      return json as Tally;
    },
  };
  return area as unknown as AnyUserArea;
}

/** Boards that keep one number: the records applied and published. Layers are strict about the order in which they end. */
export class TallyBoards implements BoardsArea {
  readonly name = 'leaderboards';
  readonly stateVersion = 1;
  readonly tables: readonly AreaTable[] = [];
  readonly trap: Trap;
  published = 0;
  readonly #open: BoardsLayer[] = [];

  constructor(trap: Trap = { throwsOn: () => false }) {
    this.trap = trap;
  }

  get openLayers(): number {
    return this.#open.length;
  }

  load(): Promise<void> {
    return Promise.resolve();
  }

  forget(): void {
    if (this.#open.length > 0) throw new Error('a layer is open');
  }

  openLayer(below: BoardsLayer | null): BoardsLayer {
    if (below !== null && !this.#open.includes(below)) throw new Error('a layer is opened over one that is not open');
    let applied = 0;
    const layer: BoardsLayer = {
      missing: () => [],
      project: (message) => {
        if (this.trap.throwsOn(message)) throw new Error(`leaderboards cannot apply ${message.record.position}`);
        applied++;
        return { section: NO_BOARDS, rows: new Map() };
      },
      view: () => NO_BOARDS,
      publish: () => {
        if (this.#open[0] !== layer) throw new Error('layers are published in the order in which they were opened');
        this.#open.shift();
        this.published += applied;
      },
      discard: () => {
        if (this.#open.at(-1) !== layer) throw new Error('the newest layer is discarded first');
        this.#open.pop();
      },
    };
    this.#open.push(layer);
    return layer;
  }
}

const NO_BOARDS: LeaderboardsSection = { boards: [] };
