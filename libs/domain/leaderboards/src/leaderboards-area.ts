import type { Instant } from '@laurel/calendar';
import { BOARDS_NEED, runTurns } from '@laurel/contributions';
import type {
  AreaTable,
  BoardsArea,
  BoardsLayer,
  Row,
  Rows,
  RunDifference,
  RunKey,
  RunValues,
  SqlReader,
} from '@laurel/kernel';
import { CommittedRun, type PreImages } from './rules/committed-run.ts';
import { runDifferences, UserRuns } from './rules/run-values.ts';
import { RunMemory, type HeldRun } from './run-memory.ts';
import { StandingsLayer } from './standings-layer.ts';
import { STANDINGS, standingRow, tables } from './tables.ts';

export interface LeaderboardsAreaOptions {
  /**
   * Limit of the standings in memory, in bytes. Runs used by open batches and readers may exceed it. A standing takes
   * about 70 bytes. Default: 320 MiB.
   */
  readonly capacityBytes?: number;
  /** The tables are empty at the start, so only standings that this area has stored can be found. */
  readonly beginsEmpty?: boolean;
  /**
   * Receives all standings of a changed run when it leaves memory. Events then make no rows of standings; {@link
   * LeaderboardsArea.changedStandings} returns the remaining ones. For a rebuild, where most standings change many
   * times.
   */
  readonly storeStandings?: (rows: Rows) => void;
}

/**
 * Version of everything that the area stores. 2: tables by subject. 3: boards by number. 4: corrections move events. 5:
 * changes of final runs.
 */
export const LEADERBOARDS_STATE_VERSION = 5;

const DEFAULT_CAPACITY_BYTES = 320 * 1024 * 1024;

/** The leaderboards area of a process: the only writer of the standings that `sql` reads. */
export class LeaderboardsArea implements BoardsArea {
  readonly name = 'leaderboards';
  readonly stateVersion = LEADERBOARDS_STATE_VERSION;
  readonly tables: readonly AreaTable[] = tables;
  readonly needs = BOARDS_NEED;
  readonly runTurns = runTurns;
  readonly #memory: RunMemory;
  #storesEvents: boolean;
  readonly #layers: StandingsLayer[] = [];

  constructor(sql: SqlReader, options: LeaderboardsAreaOptions = {}) {
    const { capacityBytes = DEFAULT_CAPACITY_BYTES, beginsEmpty = false, storeStandings } = options;
    this.#storesEvents = storeStandings === undefined;
    this.#memory = new RunMemory(sql, capacityBytes, {
      beginsEmpty,
      store: (run) => {
        for (const rows of storedRun(run)) storeStandings?.(rows);
      },
    });
  }

  /** Approximate size of the standings in memory. */
  get bytes(): number {
    return this.#memory.bytes;
  }

  load(runs: readonly RunKey[]): Promise<void> {
    return this.#memory.load(runs);
  }

  newRunValues(): UserRuns {
    return new UserRuns();
  }

  runDifferences(before: RunValues, after: RunValues, at: Instant): readonly RunDifference[] {
    return runDifferences(before as UserRuns, after as UserRuns, at);
  }

  openLayer(below: BoardsLayer | null): StandingsLayer {
    const top = this.#layers.at(-1) ?? null;
    const expected = below instanceof StandingsLayer && below.isOpen ? below : null;
    if (top !== expected) throw new Error('a layer must be opened over the latest open one');
    return new StandingsLayer(this.#memory, this.#layers, this.#storesEvents);
  }

  *changedStandings(): Generator<Rows, void> {
    this.#storesEvents = true;
    for (const run of this.#memory.unstored()) yield* storedRun(run);
  }

  /** The committed run, loaded if necessary. Valid until the next `await`. */
  async committed(key: RunKey): Promise<CommittedRun | null> {
    const held = await this.#memory.read(key);
    return held === undefined ? null : new CommittedRun(held.standings, this.#preImagesOf(held));
  }

  /**
   * Clears the memory after a commit with an unknown outcome, or when tables were rewritten.
   * @throws Error while a layer is open.
   */
  forget(): void {
    if (this.#layers.length > 0) throw new Error('a layer is open');
    this.#memory.forget();
  }

  /** The committed standings of users that open layers have changed; those of the lowest layer are the oldest. */
  #preImagesOf(held: HeldRun): PreImages {
    const [lowest = NONE, ...above] = this.#layers.flatMap((layer) => layer.preImagesOf(held) ?? []);
    if (above.length === 0) return lowest;
    return new Map([...above.toReversed().flatMap((preImages) => [...preImages]), ...lowest]);
  }
}

const NONE: PreImages = new Map();

/** The rows of all standings of a run, in chunks. */
function* storedRun(run: HeldRun): Generator<Rows, void> {
  run.isUnstored = false;
  let rows: Row[] = [];
  for (const standing of run.standings.all()) {
    rows.push(standingRow(run.key, standing));
    if (rows.length < ROWS_AT_A_TIME) continue;
    yield new Map([[STANDINGS, rows]]);
    rows = [];
  }
  yield new Map([[STANDINGS, rows]]);
}

const ROWS_AT_A_TIME = 5_000;
