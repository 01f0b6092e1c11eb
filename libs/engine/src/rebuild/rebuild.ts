import {
  AreaError,
  type AreaName,
  type BoardsArea,
  type Configuration,
  type RecordedEvent,
  type MissingRuns,
  type Rows,
  type Step,
  type UserEvent,
  type RecordedUserEvent,
  userEventsOf,
} from '@laurel/kernel';
import type { ReplayedLog } from '@laurel/event-store';
import { withRuns } from '../folding/with-runs.ts';
import type { AnyUserArea, UserRef } from '../folding/document.ts';
import type { CompileHistory } from '../folding/publications.ts';
import { turnOfTheLoop } from '../folding/turn-of-the-loop.ts';
import type { RebuildComparison } from './rebuild-comparison.ts';
import { DEFAULT_REBUILD_OPTIONS, type RebuildOptions } from './rebuild-options.ts';
import type { RebuildStore } from './rebuild-store.ts';
import { RebuiltConfigurations } from './rebuilt-configurations.ts';
import { RebuiltCorrections } from './rebuilt-corrections.ts';
import { RebuiltUsers } from './rebuilt-users.ts';

export interface RebuildDependencies {
  readonly log: ReplayedLog;
  readonly store: RebuildStore;
  /** A separate chain of areas, because its boards read the rebuilt standings. */
  readonly chain: { readonly userAreas: readonly AnyUserArea[]; readonly boards: BoardsArea };
  readonly compileHistory: CompileHistory;
}

/** An area could not apply a record again. The live read models are as they were. */
export class RebuildFailedError extends Error {
  override readonly name = 'RebuildFailedError';
}

/**
 * Applies the log again from its first record, each record under its own configuration version. Separate areas write to
 * read models beside the live ones. Nothing is recorded, and nothing live changes before {@link takeOver}. Nothing ever
 * needs to be undone, so states are written in place and rows go to the store at once. Any failure ends the rebuild.
 */
export class Rebuild {
  readonly areas: readonly AreaName[];
  readonly #dependencies: RebuildDependencies;
  readonly #options: RebuildOptions;
  readonly #users: RebuiltUsers;
  readonly #configurations: RebuiltConfigurations;
  readonly #corrections: RebuiltCorrections;
  /** Read, and not yet applied. */
  #read: RecordedEvent[] = [];
  #applied = 0;
  #isPrepared = false;
  /** Number of applied records since other work of the process last had its turn. */
  #turns = 0;

  /** @param areas those that {@link takeOver} replaces, in the order of the chain */
  constructor(
    dependencies: RebuildDependencies,
    areas: readonly AreaName[],
    options: RebuildOptions = DEFAULT_REBUILD_OPTIONS,
  ) {
    const { userAreas } = dependencies.chain;
    this.#dependencies = dependencies;
    this.areas = areas;
    this.#options = options;
    this.#users = new RebuiltUsers(userAreas, options.cachedUserBytes);
    this.#configurations = new RebuiltConfigurations(dependencies.compileHistory);
    this.#corrections = new RebuiltCorrections({
      ...dependencies,
      users: this.#users,
      configurations: this.#configurations,
      batchSize: options.batchSize,
      takeTurn: () => this.#takeTurn(),
      applyBoards: (record, turn) => this.#applyBoardsWithRuns(record, turn),
    });
  }

  /** Position of the last record applied. */
  get applied(): number {
    return this.#applied;
  }

  /**
   * Applies the log up to its present end. While the rows of a chunk are written, the next chunk is applied. May be
   * called again for records added meanwhile.
   * @throws RebuildFailedError if an area to be rebuilt, or one before it, fails. After any error the rebuild cannot be
   * used
   */
  async catchUp(onProgress: (applied: number) => void = () => undefined): Promise<void> {
    const { store } = this.#dependencies;
    let writing: Promise<void> = Promise.resolve();
    try {
      if (this.applied === 0) await this.#corrections.begin();
      for (let more = true; more || this.#read.length > 0;) {
        if (this.#read.length === 0) more = await this.#readOn();
        if (this.#read.length === 0) break;
        await this.#applyChunk();
        await writing;
        onProgress(this.#applied);
        writing = store.write();
        // Awaited one chunk later; until then, an error must not count as unhandled.
        writing.catch(() => undefined);
      }
      await writing;
      if (this.#isPrepared) await this.#writeUsers();
    } finally {
      // The store must not be closed while this write runs.
      await writing.catch(() => undefined);
    }
  }

  /**
   * Writes the rows that waited for the end, and does as much of {@link takeOver} as possible while the engine goes on.
   */
  async prepareTakeOver(): Promise<void> {
    const { store } = this.#dependencies;
    await this.#writeUsers();
    await this.#writeStandings();
    await store.prepareTakeOver();
    this.#isPrepared = true;
  }

  /** Writes the users whose states have changed. */
  async #writeUsers(): Promise<void> {
    const { store } = this.#dependencies;
    for (const changes of this.#users.take(USERS_AT_A_TIME)) {
      store.keep(changes);
      await store.write();
    }
  }

  async #writeStandings(): Promise<void> {
    const { chain, store } = this.#dependencies;
    let rows = 0;
    for (const standings of chain.boards.changedStandings?.() ?? NO_STANDINGS) {
      store.put(standings);
      for (const added of standings.values()) rows += added.length;
      if (rows < ROWS_AT_A_TIME) continue;
      await store.write();
      rows = 0;
    }
    await store.write();
  }

  /**
   * Replaces the live read models with the rebuilt ones. The log must end at the last record applied.
   * @throws TablesInUseError, and others of {@link RebuildStore.takeOver}
   */
  async takeOver(): Promise<void> {
    const { chain, store } = this.#dependencies;
    if (!this.#isPrepared) await this.prepareTakeOver();
    const versions = new Map([...chain.userAreas, chain.boards].map(({ name, stateVersion }) => [name, stateVersion]));
    const checkpoints = this.areas.map((area) => ({
      area,
      position: this.applied,
      stateVersion: versions.get(area) ?? 0,
      failure: null,
    }));
    await store.takeOver(this.applied, checkpoints);
  }

  /**
   * Compares the live read models with the rebuilt ones in one snapshot. The log must end at the last record applied.
   */
  openComparison(): Promise<RebuildComparison> {
    return this.#dependencies.store.openComparison(this.areas);
  }

  close(): Promise<void> {
    return this.#dependencies.store.close();
  }

  /** Reads the next records. Returns whether there may be more. */
  async #readOn(): Promise<boolean> {
    this.#read = [...(await this.#dependencies.log.read(this.#applied, this.#options.batchSize))];
    return this.#read.length === this.#options.batchSize;
  }

  /**
   * Applies the records that were read, or as many as memory should hold: a sweep is one record, but hundreds of users.
   */
  async #applyChunk(): Promise<void> {
    const { chain, store } = this.#dependencies;
    const chunk = this.#read.slice(0, chunkLength(this.#read));
    await this.#loadUsers(chunk);
    const layer = chain.boards.openLayer(null);
    let weight = 0;
    let done = 0;
    for (; done < chunk.length && weight <= FULL_CHUNK; done++) {
      const record = chunk[done] as RecordedEvent;
      if (record.fact.type === 'ConfigurationPublished') this.#configurations.take({ ...record, fact: record.fact });
      if (record.fact.type === 'CorrectionRecorded')
        weight += await this.#corrections.apply({ ...record, fact: record.fact }, layer);
      for (const own of appliedEventsOf(record)) {
        const configuration = this.#configurations.historyOf(own.account).at(own.configurationVersion);
        const { occasion, effects, emitter } = this.#apply(own, configuration);
        weight += effects.length;
        const turn = () => layer.apply(occasion, configuration, emitter, false);
        if ('missing' in this.#applyBoards(own, turn)) await this.#applyBoardsWithRuns(own, turn);
      }
      this.#applied = record.position;
      if (this.#turns >= TURN) await this.#takeTurn();
    }
    layer.publish();
    store.keep(this.#users.endChunk());
    this.#read.splice(0, done);
  }

  async #loadUsers(chunk: readonly RecordedEvent[]): Promise<void> {
    const users = this.#users.missing(chunk.flatMap(usersOf));
    if (users.length > 0) this.#users.put(await this.#dependencies.store.loadDocuments(users));
  }

  /** @throws RebuildFailedError */
  #apply(record: RecordedUserEvent, configuration: Configuration): Step {
    const { chain, store } = this.#dependencies;
    const { fold } = this.#users.of(record, configuration);
    this.#turns++;
    this.#corrections.note(record.fact.subject, record.position);
    try {
      const applied = fold.apply(record, configuration);
      for (const rows of applied.rows) store.add(rows);
      return applied;
    } catch (error) {
      if (!(error instanceof AreaError)) throw error;
      throw failed((chain.userAreas[error.index] as AnyUserArea).name, record, error);
    }
  }

  /** If runs are missing, the boards are unchanged. @throws RebuildFailedError */
  #applyBoards<Made extends { readonly rows: Rows }>(
    record: Applied,
    turn: () => Made | MissingRuns,
  ): Made | MissingRuns {
    const { chain, store } = this.#dependencies;
    try {
      const made = turn();
      if (!('missing' in made)) store.add(made.rows);
      return made;
    } catch (error) {
      throw failed(chain.boards.name, record, error);
    }
  }

  #applyBoardsWithRuns<Made extends { readonly rows: Rows }>(
    record: Applied,
    turn: () => Made | MissingRuns,
  ): Promise<Made> {
    const { boards } = this.#dependencies.chain;
    return withRuns({ load: (runs) => boards.load(runs) }, () => this.#applyBoards(record, turn));
  }

  async #takeTurn(): Promise<void> {
    this.#turns = 0;
    await turnOfTheLoop();
  }
}

/** An applied record, or one user's part of a sweep. */
type Applied = Pick<RecordedEvent, 'position'>;

const NO_STANDINGS: readonly Rows[] = [];

function failed(area: AreaName, { position }: Applied, cause: unknown): RebuildFailedError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new RebuildFailedError(`${area} cannot apply the record at position ${position}: ${reason}`, { cause });
}

/** Users' states that a chunk loads at most, but for those of its first record. */
const USERS_PER_CHUNK = 20_000;
/** Number of effects that ends a chunk. */
const FULL_CHUNK = 50_000;
/** Users whose states are encoded at a time. */
const USERS_AT_A_TIME = 2_000;
/** Most standings that wait in memory before they are written. */
const ROWS_AT_A_TIME = 20_000;

function chunkLength(records: readonly RecordedEvent[]): number {
  let users = 0;
  const end = records.findIndex((record, index) => {
    users += usersOf(record).length;
    return index > 0 && users > USERS_PER_CHUNK;
  });
  return end < 0 ? records.length : end;
}

/** Number of applied records, counted per user, after which other work of the process gets its turn. */
const TURN = 64;

function usersOf({ account, fact }: RecordedEvent): readonly UserRef[] {
  if ('subject' in fact) return [{ account, subject: (fact satisfies UserEvent).subject }];
  return fact.type === 'UsersSwept' ? fact.subjects.map((subject) => ({ account, subject })) : [];
}

/** Folds of their user apply corrections. */
const appliedEventsOf = (record: RecordedEvent): readonly RecordedUserEvent[] =>
  record.fact.type === 'CorrectionRecorded' ? OF_NOBODY : userEventsOf(record);

const OF_NOBODY: readonly RecordedUserEvent[] = [];
