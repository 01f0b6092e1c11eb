import {
  AreaError,
  EffectList,
  type AreaName,
  type BoardsArea,
  type BoardsLayer,
  type Configuration,
  type ConfigurationHistory,
  type RecordedEvent,
  type MissingRuns,
  type Rows,
  type Step,
  type Subject,
  type UserEvent,
  type RecordedUserEvent,
  userEventsOf,
} from '@laurel/kernel';
import type { ReplayedLog } from '@laurel/event-store';
import { BeforeAfterFolds } from '../folding/corrected-fold.ts';
import { withRuns } from '../folding/with-runs.ts';
import type { CorrectionRecord } from '../folding/event-changes.ts';
import { amendedEvents, recordedUserEventOf } from '../folding/user-events.ts';
import type { AnyUserArea, UserRef } from '../folding/document.ts';
import { publicationOf, type CompileHistory, type RecordedPublication } from '../folding/publications.ts';
import { turnOfTheLoop } from '../folding/turn-of-the-loop.ts';
import type { RebuildComparison } from './rebuild-comparison.ts';
import type { RebuildStore } from './rebuild-store.ts';
import { RebuiltUsers } from './rebuilt-users.ts';

export interface RebuildDependencies {
  readonly log: ReplayedLog;
  readonly store: RebuildStore;
  /** Areas of its own: the boards read what the store holds. */
  readonly chain: { readonly userAreas: readonly AnyUserArea[]; readonly boards: BoardsArea };
  readonly compileHistory: CompileHistory;
}

export interface RebuildOptions {
  /** Records that are read, and at most applied before what they gave is written. The outcome does not depend on it. */
  readonly batchSize: number;
  /** Of the users' states in memory, as they are stored; those of a single chunk of the log may take more. */
  readonly cachedUserBytes: number;
  /** Of documents, standings and counters that wait to be written once, at the end. */
  readonly heldBytes: number;
  /** Of the standings in memory. */
  readonly standingsBytes: number;
}

const MIB = 1024 * 1024;
export const DEFAULT_REBUILD_OPTIONS: RebuildOptions = {
  batchSize: 5_000,
  cachedUserBytes: 128 * MIB,
  heldBytes: 64 * MIB,
  standingsBytes: 80 * MIB,
};

/** An area could not apply a record again. The live read models are as they were. */
export class RebuildFailedError extends Error {
  override readonly name = 'RebuildFailedError';
}

/**
 * The log applied again, from its first record on: each record under the configuration version that it carries, through areas of its
 * own, into read models beside the live ones. Nothing is recorded, and nothing live changes before {@link takeOver}. So nothing needs to
 * be undone: states are written in place, and rows go to the store at once. What fails ends the rebuild.
 */
export class Rebuild {
  readonly areas: readonly AreaName[];
  readonly #dependencies: RebuildDependencies;
  readonly #options: RebuildOptions;
  readonly #users: RebuiltUsers;
  readonly #publications = new Map<string, RecordedPublication[]>();
  readonly #histories = new Map<string, ConfigurationHistory>();
  /** Of the users of whom there are corrections: the events applied so far. */
  readonly #eventsOf = new Map<Subject, number[]>();
  /** Read, and not yet applied. */
  #read: RecordedEvent[] = [];
  #applied = 0;
  #isPrepared = false;
  /** Applied since other work of the process had its turn. */
  #turns = 0;

  /** @param areas those that {@link takeOver}, in the order of the chain */
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
  }

  /** The last record that has been applied. */
  get applied(): number {
    return this.#applied;
  }

  /**
   * Applies what the log holds, up to its present end. While the rows of a chunk are being written, the next one is applied. May be
   * called again, for what was recorded meanwhile.
   * @throws RebuildFailedError if an area to be rebuilt, or one before it, fails. After any error the rebuild is of no use
   */
  async catchUp(onProgress: (applied: number) => void = () => undefined): Promise<void> {
    const { store } = this.#dependencies;
    let writing: Promise<void> = Promise.resolve();
    try {
      // Whose events are to be remembered, so that none has to be read twice to find them.
      if (this.applied === 0)
        for (const subject of await this.#dependencies.log.correctedBehind(0)) this.#eventsOf.set(subject, []);
      for (let more = true; more || this.#read.length > 0;) {
        if (this.#read.length === 0) more = await this.#readOn();
        if (this.#read.length === 0) break;
        await this.#applyChunk();
        await writing;
        onProgress(this.#applied);
        writing = store.write();
        // It is awaited one chunk later; until then it must not count as an error that nobody handles.
        writing.catch(() => undefined);
      }
      await writing;
      if (this.#isPrepared) await this.#writeUsers();
    } finally {
      // What is being written must not meet the end of the store.
      await writing.catch(() => undefined);
    }
  }

  /** Writes what waited for the end, and does what can be done for {@link takeOver} while everything still goes on. */
  async prepareTakeOver(): Promise<void> {
    const { store } = this.#dependencies;
    await this.#writeUsers();
    await this.#writeStandings();
    await store.prepareTakeOver();
    this.#isPrepared = true;
  }

  /** Those whose states have changed. */
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
   * Puts what was rebuilt in the place of the live read models. The log must end where this has come to.
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

  /** What is stored live beside what was applied here, as of this moment. The log must end where this has come to. */
  openComparison(): Promise<RebuildComparison> {
    return this.#dependencies.store.openComparison(this.areas);
  }

  close(): Promise<void> {
    return this.#dependencies.store.close();
  }

  /** Answers whether there may be more. */
  async #readOn(): Promise<boolean> {
    this.#read = [...(await this.#dependencies.log.read(this.#applied, this.#options.batchSize))];
    return this.#read.length === this.#options.batchSize;
  }

  /** Applies what was read, or so much of it as memory should hold: a sweep is one record, but hundreds of users. */
  async #applyChunk(): Promise<void> {
    const { chain, store } = this.#dependencies;
    const chunk = this.#read.slice(0, chunkLength(this.#read));
    await this.#loadUsers(chunk);
    const layer = chain.boards.openLayer(null);
    let weight = 0;
    let done = 0;
    for (; done < chunk.length && weight <= FULL_CHUNK; done++) {
      const record = chunk[done] as RecordedEvent;
      if (record.fact.type === 'ConfigurationPublished') this.#takeConfiguration({ ...record, fact: record.fact });
      if (record.fact.type === 'CorrectionRecorded')
        weight += await this.#correct({ ...record, fact: record.fact }, layer);
      for (const own of appliedEventsOf(record)) {
        const configuration = this.#historyOf(own.account).at(own.configurationVersion);
        const applied = this.#apply(own, configuration);
        weight += applied.effects.length;
        const { occasion, emitter } = applied;
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
    this.#eventsOf.get(record.fact.subject)?.push(record.position);
    try {
      const applied = fold.apply(record, configuration);
      for (const rows of applied.rows) store.add(rows);
      return applied;
    } catch (error) {
      if (!(error instanceof AreaError)) throw error;
      throw failed((chain.userAreas[error.index] as AnyUserArea).name, record, error);
    }
  }

  /** If runs are missing, the boards were left as they were. @throws RebuildFailedError */
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

  /**
   * Folds the user's events once more, with and without the correction. They are read again: what is held of each is its position.
   * @returns how many effects came of it
   */
  async #correct(record: CorrectionRecord, layer: BoardsLayer): Promise<number> {
    const { account, position, fact } = record;
    const { chain, log, store } = this.#dependencies;
    const { subject } = fact;
    const user = { account, subject };
    const positions = this.#eventsOf.get(subject) ?? (await this.#findEvents(user, position));
    const earlier = (await log.correctionsOf([subject])).filter((one) => one.position < position);
    const parts = { areas: chain.userAreas, configurations: this.#historyOf(account), boards: chain.boards };
    const amended = await amendedEvents(log, subject, [...earlier, record]);
    const folds = BeforeAfterFolds.begin(parts, fact, { earlier, amended });
    for (let first = 0; first < positions.length; first += READ_AT_A_TIME) {
      const read = await log.readAt(positions.slice(first, first + READ_AT_A_TIME));
      for (const one of read) folds.apply(recordedUserEventOf(one, subject));
      await this.#takeTurn();
    }
    const configuration = this.#historyOf(account).at(record.configurationVersion);
    const { occasion, document, effects, rows, before, after } = folds.finish(
      record,
      this.#users.statesOf(user, configuration),
    );
    for (const { removed } of rows) store.remove(removed);
    for (const { added } of rows) store.add(added);
    this.#users.replace(user, document, configuration);
    const correction = { occasion, before, after, changesFinalRuns: fact.finalRuns === 'change' };
    const emitter = new EffectList(occasion, configuration, null, effects);
    for (let next: number | null = 0; next !== null;) {
      const from: number = next;
      ({ next } = await this.#applyBoardsWithRuns(record, () =>
        layer.correct(correction, configuration, emitter, from),
      ));
    }
    this.#eventsOf.get(subject)?.push(position);
    return effects.length;
  }

  /** A correction that was recorded while the rebuild was under way: the log is read again as far as it was applied. */
  async #findEvents({ account, subject }: UserRef, upTo: number): Promise<readonly number[]> {
    const positions: number[] = [];
    for (let after = 0; after < upTo - 1;) {
      const records = await this.#dependencies.log.read(after, this.#options.batchSize);
      for (const record of records) {
        const concerned = record.position < upTo && record.account === account;
        if (concerned && usersOf(record).some((user) => user.subject === subject)) positions.push(record.position);
      }
      after = records.at(-1)?.position ?? upTo;
    }
    this.#eventsOf.set(subject, positions);
    return positions;
  }

  async #takeTurn(): Promise<void> {
    this.#turns = 0;
    await turnOfTheLoop();
  }

  #takeConfiguration(record: Parameters<typeof publicationOf>[0]): void {
    const { account } = record;
    const publications = [...(this.#publications.get(account) ?? []), publicationOf(record)];
    this.#publications.set(account, publications);
    this.#histories.set(account, this.#dependencies.compileHistory(account, publications));
  }

  #historyOf(account: string): ConfigurationHistory {
    const history = this.#histories.get(account);
    if (!history) throw new Error(`the log holds a fact of account ${account} before any configuration of it`);
    return history;
  }
}

/** What is applied: a record, or a sweep of one user. */
type Applied = Pick<RecordedEvent, 'position'>;

const NO_STANDINGS: readonly Rows[] = [];

function failed(area: AreaName, { position }: Applied, cause: unknown): RebuildFailedError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new RebuildFailedError(`${area} cannot apply the record at position ${position}: ${reason}`, { cause });
}

/** Events of a corrected user that are in memory at a time. */
const READ_AT_A_TIME = 500;
/** Users' states that a chunk loads at most, but for those of its first record. */
const USERS_PER_CHUNK = 20_000;
/** Effects after which a chunk is closed. */
const FULL_CHUNK = 50_000;
/** Users whose states are encoded at a time. */
const USERS_AT_A_TIME = 2_000;
/** Standings that wait in memory, at most, before they are written. */
const ROWS_AT_A_TIME = 20_000;

function chunkLength(records: readonly RecordedEvent[]): number {
  let users = 0;
  const end = records.findIndex((record, index) => {
    users += usersOf(record).length;
    return index > 0 && users > USERS_PER_CHUNK;
  });
  return end < 0 ? records.length : end;
}

/** Applied, user by user, before other work of the process gets its turn. */
const TURN = 64;

function usersOf({ account, fact }: RecordedEvent): readonly UserRef[] {
  if ('subject' in fact) return [{ account, subject: (fact satisfies UserEvent).subject }];
  return fact.type === 'UsersSwept' ? fact.subjects.map((subject) => ({ account, subject })) : [];
}

/** Folds of their user apply corrections. */
const appliedEventsOf = (record: RecordedEvent): readonly RecordedUserEvent[] =>
  record.fact.type === 'CorrectionRecorded' ? OF_NOBODY : userEventsOf(record);

const OF_NOBODY: readonly RecordedUserEvent[] = [];
