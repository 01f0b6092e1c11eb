import type {
  AreaTable,
  BoardsArea,
  BoardsLayer,
  LeaderboardsAnswer,
  Occasion,
  Rows,
  RunValues,
  UserArea,
} from '@laurel/kernel';
import type { AnyUserArea } from '@laurel/engine';

/** The effect of a tally area: the number of the user's records, and the sum of their values. */
export interface Tally {
  count: number;
  sum: string;
}

/** The event on which an area throws; mutable, so that a test can repair it. */
export interface Trap {
  throwsOn: (event: TrappedEvent) => boolean;
}

export interface TrappedEvent {
  readonly position: number;
  /** In millionths; 0 if no metric was reported. */
  readonly value: bigint;
}

/** An area that only counts, for tests of the engine, which must not depend on what areas do. */
export function tallyArea(name: 'users' | 'streaks' | 'points', trap: Trap = NO_TRAP): AnyUserArea {
  const table: AreaTable = { name: `${name}_rows`, onConflict: '' };
  const count = (draft: Tally, event: TrappedEvent): void => {
    // The count changes before the area may throw, so that the draft is then half written, as that of a real area may
    // be.
    draft.count++;
    if (trap.throwsOn(event)) throw new Error(`${name} cannot apply ${event.position}`);
    draft.sum = String(BigInt(draft.sum) + event.value);
  };
  const rows = (draft: Tally, position: number): Rows => new Map([[table.name, [{ position, ...draft }]]]);
  const area: UserArea<Tally, Tally> = {
    name,
    stateVersion: 1,
    tables: [table],
    migrations: [],
    readableRows: [],
    needs: [],
    initial: () => ({ count: 0, sum: '0' }),
    draft: (state) => ({ ...state }),
    apply: (draft, occasion) => count(draft, trappedEvent(occasion)),
    answerPart: (draft) => ({ ...draft }),
    rows: (draft, { occasion }) => rows(draft, occasion.position),
    correct: () => ({ added: new Map(), removed: new Map() }),
    view: (state) => ({ ...state }),
    encode: (state) => state,
    decode: (json) => {
      if (typeof (json as Tally).count !== 'number') throw new TypeError(`${name} cannot read its state`);
      return json as Tally;
    },
  };
  return area as unknown as AnyUserArea;
}

const NO_TRAP: Trap = { throwsOn: () => false };

const trappedEvent = ({ position, reported }: Occasion): TrappedEvent => ({
  position,
  value: reported === null ? 0n : BigInt(reported.value),
});

/** Boards that keep one number: the records applied and published. Their layers check the order in which they end. */
export class TallyBoards implements BoardsArea {
  readonly name = 'leaderboards';
  readonly stateVersion = 1;
  readonly tables: readonly AreaTable[] = [];
  readonly needs = [];
  readonly trap: Trap;
  published = 0;
  readonly #open: BoardsLayer[] = [];

  constructor(trap: Trap = NO_TRAP) {
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

  newRunValues(): RunValues {
    return { size: 0, add: () => undefined, clone: () => this.newRunValues() };
  }

  runDifferences(): readonly [] {
    return [];
  }

  runTurns(): readonly [] {
    return [];
  }

  openLayer(below: BoardsLayer | null): BoardsLayer {
    if (below !== null && !this.#open.includes(below)) throw new Error('a layer must be opened over one that is open');
    let applied = 0;
    const layer: BoardsLayer = {
      apply: (occasion) => {
        if (this.trap.throwsOn(trappedEvent(occasion)))
          throw new Error(`leaderboards cannot apply ${occasion.position}`);
        applied++;
        return { answerPart: NO_BOARDS, changes: [], rows: new Map() };
      },
      view: () => NO_BOARDS,
      correct: () => ({ rows: new Map(), next: null }),
      publish: () => {
        if (this.#open[0] !== layer) throw new Error('layers must be published in the order in which they were opened');
        this.#open.shift();
        this.published += applied;
      },
      discard: () => {
        if (this.#open.at(-1) !== layer) throw new Error('the newest layer must be discarded first');
        this.#open.pop();
      },
    };
    this.#open.push(layer);
    return layer;
  }
}

const NO_BOARDS: LeaderboardsAnswer = { boards: [] };
