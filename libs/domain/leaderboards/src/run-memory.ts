import type { LocalDate } from '@laurel/calendar';
import { boardNameOf, runNameOf, type BoardRef } from '@laurel/contributions';
import type { RunKey, SqlReader } from '@laurel/kernel';
import { RunStandings } from './rules/run-standings.ts';
import { SharedReads } from './shared-reads.ts';
import { readRunStarts, readRuns } from './stored-standings.ts';

/** A run that the writer requested stays until this many further layers have been opened: one uses it, one lies above. */
const LAYERS_KEPT = 2;

/** A run in memory. */
export interface HeldRun {
  readonly key: RunKey;
  readonly standings: RunStandings;
  /** The number of layers that had been opened when the run was last used. */
  usedAt: number;
  /** The number of open layers that have touched the run. */
  touchedBy: number;
  /** The bytes that the memory counts for this run. */
  counted: number;
  /** The run has changed since {@link RunMemoryOptions.store} last got it. */
  isUnstored: boolean;
}

export interface RunMemoryOptions {
  /** The database holds no run yet. */
  readonly beginsEmpty?: boolean;
  /** Stores a run that was marked as unstored, before it is dropped. */
  readonly store?: (run: HeldRun) => void;
}

/**
 * The runs in memory, least recently used first: at most `capacityBytes`, except for runs that the writer is using.
 *
 * Nothing is lost or counted twice: a run is changed only while it is in memory, and leaves only when no open layer has touched it. So all
 * changes of an absent run are committed, and a read that begins while it is absent sees them. Until this read ends, nobody else reads or
 * changes the run.
 */
export class RunMemory {
  readonly #sql: SqlReader;
  readonly #capacityBytes: number;
  readonly #beginsEmpty: boolean;
  readonly #store: ((run: HeldRun) => void) | undefined;
  readonly #held = new Map<string, HeldRun>();
  /** The stored runs of each board; a run in memory may be missing. */
  readonly #stored = new Map<string, Set<LocalDate>>();
  /** The runs that the writer requested, oldest first, with the number of layers opened by then. */
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

  /** True if the run is in memory, or is known to have no standings. */
  isKnown(key: RunKey, name = runNameOf(key)): boolean {
    return this.#held.has(name) || this.#storedOf(key)?.has(key.start) === false;
  }

  /** The run; undefined if it has no standings. @throws Error if it is not known. */
  find(key: RunKey, name = runNameOf(key)): HeldRun | undefined {
    const held = this.#held.get(name);
    if (held !== undefined) return held.usedAt === this.#layersOpened ? held : this.#markUsed(name, held);
    if (!this.isKnown(key, name)) throw new Error(`run ${key.start} of the leaderboard ${key.board} is not in memory`);
    return undefined;
  }

  /** Like {@link find}, but begins a run without standings. */
  open(key: RunKey, name = runNameOf(key)): HeldRun {
    return this.find(key, name) ?? this.#hold(key, new RunStandings());
  }

  /** The runs that are marked as unstored. */
  unstored(): readonly HeldRun[] {
    return [...this.#held.values()].filter(({ isUnstored }) => isUnstored);
  }

  /** For the writer: loads unknown runs and keeps them until the writer can touch them. */
  async load(keys: readonly RunKey[]): Promise<void> {
    this.want(keys);
    if (this.#unknown(keys).length === 0) return;
    while (this.#unknown(keys).length > 0) await this.#readUnknown(keys);
    // The read may have taken longer than the pin lasts.
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

  /** Keeps these runs, read already or not, until the writer had time to touch them. */
  want(keys: readonly RunKey[]): void {
    for (const name of keys.map(runNameOf)) {
      this.#wanted.delete(name);
      this.#wanted.set(name, this.#layersOpened);
    }
  }

  /** The writer is done with these runs: those that it has not touched may be dropped. */
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

  /** A layer that has touched these runs was closed. */
  layerClosed(touched: Iterable<HeldRun>): void {
    for (const held of touched) {
      held.touchedBy--;
      this.#count(held, held.standings.bytes);
    }
    this.#trim(new Set());
  }

  /** Clears the memory, for when it may differ from the tables. No layer may be open. */
  forget(): void {
    this.#reads.abandon();
    for (const names of [this.#held, this.#stored, this.#wanted]) names.clear();
    this.#bytes = 0;
  }

  /** undefined if it has to be loaded. */
  #storedOf(board: BoardRef): Set<LocalDate> | undefined {
    const name = boardNameOf(board);
    const stored = this.#stored.get(name);
    if (stored !== undefined || !this.#beginsEmpty) return stored;
    const none = new Set<LocalDate>();
    this.#stored.set(name, none);
    return none;
  }

  /** One round of loading; runs that are dropped meanwhile stay unknown. */
  async #readUnknown(keys: readonly RunKey[]): Promise<void> {
    await this.#readStarts(this.#unknown(keys));
    await this.#readStandings(this.#unknown(keys));
  }

  #unknown(keys: readonly RunKey[]): readonly RunKey[] {
    return keys.filter((key) => !this.isKnown(key));
  }

  /** One read finds all runs of a board without standings: an import of many years begins hundreds of runs. */
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

  /** At most once for each layer that is opened: the order among the runs of one layer does not matter. */
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

  /** No open layer has touched it, so its standings are stored, or are being stored. */
  #drop(name: string, held: HeldRun): void {
    if (held.isUnstored) this.#store?.(held);
    this.#held.delete(name);
    this.#count(held, 0);
    if (held.standings.size > 0) this.#stored.get(boardNameOf(held.key))?.add(held.key.start);
  }
}
