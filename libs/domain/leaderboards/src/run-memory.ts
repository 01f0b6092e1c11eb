import type { LocalDate } from '@laurel/calendar';
import { boardNameOf, runNameOf, type BoardRef } from '@laurel/contributions';
import type { RunKey, SqlReader } from '@laurel/kernel';
import { RunStandings } from './rules/run-standings.ts';
import { SharedReads } from './shared-reads.ts';
import { readRunStarts, readRuns } from './stored-standings.ts';

/**
 * A run that the writer requested stays in memory until this many further layers have been opened: one uses the run,
 * one lies above it.
 */
const LAYERS_KEPT = 2;

/** A run in memory. */
export interface HeldRun {
  readonly key: RunKey;
  readonly standings: RunStandings;
  /** Number of layers opened before the run was last used. */
  usedAt: number;
  /** Number of open layers that have changed the run. */
  touchedBy: number;
  /** Bytes counted for this run. */
  counted: number;
  /** Whether the run has changed since {@link RunMemoryOptions.store} last got it. */
  isUnstored: boolean;
}

export interface RunMemoryOptions {
  /** Whether the database has no runs at the start. */
  readonly beginsEmpty?: boolean;
  /** Stores a run that was marked as unstored, before it is dropped. */
  readonly store?: (run: HeldRun) => void;
}

/**
 * The runs in memory, least recently used first: at most `capacityBytes`, plus runs that the writer is using.
 *
 * No change is lost or counted twice. A run is changed only while it is in memory, and leaves memory only when no open
 * layer has changed it. So all changes of an absent run are committed, and a read that begins while the run is absent
 * sees them. Until this read ends, nobody else reads or changes the run.
 */
export class RunMemory {
  readonly #sql: SqlReader;
  readonly #capacityBytes: number;
  readonly #beginsEmpty: boolean;
  readonly #store: ((run: HeldRun) => void) | undefined;
  readonly #held = new Map<string, HeldRun>();
  /** The runs stored for each board, including those that are not in memory. */
  readonly #stored = new Map<string, Set<LocalDate>>();
  /** The runs that the writer requested, oldest first, with the number of layers opened before. */
  readonly #wanted = new Map<string, number>();
  readonly #reads = new SharedReads();
  #layersOpened = 0;
  #bytes = 0;

  constructor(sql: SqlReader, capacityBytes: number, { beginsEmpty = false, store }: RunMemoryOptions = {}) {
    this.#sql = sql;
    this.#capacityBytes = capacityBytes;
    this.#beginsEmpty = beginsEmpty;
    this.#store = store;
  }

  /** Approximate size of the runs in memory. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether the run is in memory, or known to have no standings. */
  isKnown(key: RunKey, name = runNameOf(key)): boolean {
    return this.#held.has(name) || this.#storedOf(key)?.has(key.start) === false;
  }

  /** The run, or undefined if it has no standings. @throws Error if it is not known. */
  find(key: RunKey, name = runNameOf(key)): HeldRun | undefined {
    const held = this.#held.get(name);
    if (held !== undefined) return held.usedAt === this.#layersOpened ? held : this.#markUsed(name, held);
    if (!this.isKnown(key, name)) throw new Error(`run ${key.start} of the leaderboard ${key.board} is not in memory`);
    return undefined;
  }

  /** Like {@link find}, but creates a run without standings. */
  open(key: RunKey, name = runNameOf(key)): HeldRun {
    return this.find(key, name) ?? this.#hold(key, new RunStandings());
  }

  /** The runs that are marked as unstored. */
  unstored(): readonly HeldRun[] {
    return [...this.#held.values()].filter(({ isUnstored }) => isUnstored);
  }

  /** For the writer: loads unknown runs, and keeps them until the writer can change them. */
  async load(keys: readonly RunKey[]): Promise<void> {
    this.want(keys);
    if (this.#unknown(keys).length === 0) return;
    while (this.#unknown(keys).length > 0) await this.#readUnknown(keys);
    // The read may have taken so long that the runs are no longer kept.
    this.want(keys);
    this.#trim(new Set());
  }

  /** For a reader: loads the run, which may be dropped at the reader's next `await`. */
  async read(key: RunKey): Promise<HeldRun | undefined> {
    while (!this.isKnown(key)) await this.#readUnknown([key]);
    const held = this.find(key);
    this.#trim(new Set([held]));
    return held;
  }

  /** Keeps these runs, whether or not they are loaded yet, until the writer had time to change them. */
  want(keys: readonly RunKey[]): void {
    for (const name of keys.map(runNameOf)) {
      this.#wanted.delete(name);
      this.#wanted.set(name, this.#layersOpened);
    }
  }

  /** Called when the writer is done with these runs: those that it has not changed may be dropped. */
  release(keys: readonly RunKey[]): void {
    for (const name of keys.map(runNameOf)) this.#wanted.delete(name);
  }

  layerOpened(): void {
    this.#layersOpened++;
    for (const [name, opened] of this.#wanted) {
      if (this.#layersOpened - opened <= LAYERS_KEPT) return;
      this.#wanted.delete(name);
    }
  }

  /** Called when a layer that has changed these runs was closed. */
  layerClosed(touched: Iterable<HeldRun>): void {
    for (const held of touched) {
      held.touchedBy--;
      this.#count(held, held.standings.bytes);
    }
    this.#trim(new Set());
  }

  /** Clears the memory when it may differ from the tables. No layer may be open. */
  forget(): void {
    this.#reads.abandon();
    for (const names of [this.#held, this.#stored, this.#wanted]) names.clear();
    this.#bytes = 0;
  }

  /** undefined if the board's runs must be loaded. */
  #storedOf(board: BoardRef): Set<LocalDate> | undefined {
    const name = boardNameOf(board);
    const stored = this.#stored.get(name);
    if (stored !== undefined || !this.#beginsEmpty) return stored;
    const none = new Set<LocalDate>();
    this.#stored.set(name, none);
    return none;
  }

  /** Loads unknown runs once; runs that are dropped meanwhile stay unknown. */
  async #readUnknown(keys: readonly RunKey[]): Promise<void> {
    await this.#readStarts(this.#unknown(keys));
    await this.#readStandings(this.#unknown(keys));
  }

  #unknown(keys: readonly RunKey[]): readonly RunKey[] {
    return keys.filter((key) => !this.isKnown(key));
  }

  /** One read finds all runs of a board that have standings: an import of many years begins hundreds of runs. */
  #readStarts(keys: readonly RunKey[]): Promise<void> {
    const boards = new Map<string, BoardRef>();
    for (const key of keys) if (!this.#stored.has(boardNameOf(key))) boards.set(boardNameOf(key), key);
    return this.#reads.read(
      boards,
      (absent) => readRunStarts(this.#sql, absent),
      (board, starts) => this.#stored.set(boardNameOf(board), starts),
    );
  }

  #readStandings(keys: readonly RunKey[]): Promise<void> {
    return this.#reads.read(
      new Map(keys.map((key) => [runNameOf(key), key])),
      (absent) => readRuns(this.#sql, absent),
      (key, standings) => this.#hold(key, standings),
    );
  }

  /** Reorders a run at most once per opened layer, because the order among the runs of one layer does not matter. */
  #markUsed(name: string, held: HeldRun): HeldRun {
    held.usedAt = this.#layersOpened;
    this.#held.delete(name);
    this.#held.set(name, held);
    return held;
  }

  #hold(key: RunKey, standings: RunStandings): HeldRun {
    const held: HeldRun = { key, standings, usedAt: this.#layersOpened, touchedBy: 0, counted: 0, isUnstored: false };
    this.#held.set(runNameOf(key), held);
    this.#count(held, standings.bytes);
    return held;
  }

  #count(held: HeldRun, bytes: number): void {
    this.#bytes += bytes - held.counted;
    held.counted = bytes;
  }

  /** Drops the least recently used runs until the rest fits. */
  #trim(inUse: ReadonlySet<HeldRun | undefined>): void {
    for (const [name, held] of this.#held) {
      if (this.#bytes <= this.#capacityBytes) return;
      if (held.touchedBy === 0 && !this.#wanted.has(name) && !inUse.has(held)) this.#drop(name, held);
    }
  }

  /** No open layer has changed the run, so its standings are stored or are being stored. */
  #drop(name: string, held: HeldRun): void {
    if (held.isUnstored) this.#store?.(held);
    this.#held.delete(name);
    this.#count(held, 0);
    if (held.standings.size > 0) this.#stored.get(boardNameOf(held.key))?.add(held.key.start);
  }
}
