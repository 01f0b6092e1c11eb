import {
  AREAS,
  type AreaName,
  type ConfigurationHistory,
  type LogRecord,
  type Subject,
  type UserFact,
  type UserRecord,
} from '@laurel/contracts';
import type { ReplayedLog } from '@laurel/event-store';
import { CorrectionFolds } from '../folding/corrected-fold.ts';
import type { CorrectionRecord } from '../folding/event-changes.ts';
import { userRecordOf } from '../folding/user-events.ts';
import { Batch } from '../single-writer/batch.ts';
import type { Chain } from '../single-writer/chain.ts';
import { Committed } from '../single-writer/committed.ts';
import { userKey, type Document, type UserRef } from '../folding/document.ts';
import { loadDocuments } from '../single-writer/load-documents.ts';
import { publicationOf, type CompileHistory, type Publication } from '../folding/publications.ts';
import { changedDocuments } from '../single-writer/stored-changes.ts';
import { turnOfTheLoop } from '../folding/turn-of-the-loop.ts';
import type { RebuildComparison } from './rebuild-comparison.ts';
import type { RebuildStore } from './rebuild-store.ts';

export interface RebuildParts {
  readonly log: ReplayedLog;
  readonly store: RebuildStore;
  /** A chain of its own: its boards read what the store holds. */
  readonly chain: Chain;
  readonly compileHistory: CompileHistory;
}

export interface RebuildOptions {
  /** Records that are read, and at most applied and written, at a time. The outcome does not depend on it. */
  readonly batchSize: number;
  /** Of the users' documents in memory, as they are stored. */
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

/** The areas asked for cannot be rebuilt alone. */
export class NotRebuildableError extends Error {
  override readonly name = 'NotRebuildableError';
}

/** In the order of the chain; none named: all. @throws NotRebuildableError if an area that has stopped would be left out. */
export function areasToRebuild(asked: readonly AreaName[], stopped: ReadonlySet<AreaName>): readonly AreaName[] {
  const areas = AREAS.filter((area) => asked.length === 0 || asked.includes(area));
  const first = AREAS.findIndex((area) => stopped.has(area));
  // What an area has not applied waits for it alone: those behind it in the chain have not seen it, and would never.
  const missing = first < 0 ? [] : AREAS.slice(first).filter((area) => !areas.includes(area));
  if (missing.length === 0) return areas;
  throw new NotRebuildableError(
    `${AREAS[first]} is halted, and the areas behind it have not seen what is parked for it: rebuild ${missing.join(', ')} as well`,
  );
}

/**
 * The log applied again, from its first record on: each record under the configuration version that it carries, through
 * its own chain, into read models beside the live ones. Nothing is recorded, and nothing live changes before
 * {@link takeOver}.
 */
export class Rebuild {
  readonly areas: readonly AreaName[];
  readonly #parts: RebuildParts;
  readonly #options: RebuildOptions;
  readonly #committed: Committed;
  readonly #publications = new Map<string, Publication[]>();
  readonly #histories = new Map<string, ConfigurationHistory>();
  /** Of the users of whom there are corrections: the events applied so far. */
  readonly #eventsOf = new Map<Subject, number[]>();
  /** Read, and not yet applied. */
  #read: LogRecord[] = [];
  /** Applied since other work of the process had its turn. */
  #turns = 0;

  /** @param areas those that {@link takeOver}, in the order of the chain */
  constructor(parts: RebuildParts, areas: readonly AreaName[], options: RebuildOptions = DEFAULT_REBUILD_OPTIONS) {
    this.#parts = parts;
    this.areas = areas;
    this.#options = options;
    this.#committed = new Committed({ cachedUserBytes: options.cachedUserBytes, cachedKeyBytes: 1 });
  }

  /** The last record that has been applied and written. */
  get applied(): number {
    return this.#committed.head;
  }

  /**
   * Applies what the log holds, up to its present end. While a piece is being written, the next one is applied on top
   * of it. May be called again, for what was recorded meanwhile.
   * @throws RebuildFailedError if an area to be rebuilt, or one before it, fails.
   */
  async catchUp(onProgress: (applied: number) => void = () => undefined): Promise<void> {
    let below: Batch | null = null;
    let writing: Promise<void> = Promise.resolve();
    try {
      // Whose events are to be remembered, so that none has to be read twice to find them.
      if (this.applied === 0)
        for (const subject of await this.#parts.log.correctedBehind(0)) this.#eventsOf.set(subject, []);
      for (let more = true; more || this.#read.length > 0;) {
        if (this.#read.length === 0) more = await this.#readOn(below?.head ?? this.#committed.head);
        const next: Batch | null = this.#read.length === 0 ? null : await this.#applyPiece(below);
        await writing;
        if (below) this.#publish(below, onProgress);
        below = next;
        if (next === null) return;
        next.detach();
        writing = this.#write(next);
        // It is awaited one piece later; until then it must not count as an error that nobody handles.
        writing.catch(() => undefined);
      }
      await writing;
      if (below) this.#publish(below, onProgress);
    } finally {
      // What is being written must not meet the end of the store.
      await writing.catch(() => undefined);
    }
  }

  /** What can be done for {@link takeOver} while everything still goes on. */
  prepareTakeOver(): Promise<void> {
    return this.#parts.store.prepareTakeOver();
  }

  /**
   * Puts what was rebuilt in the place of the live read models. The log must end where this has come to.
   * @throws TablesInUseError, and others of {@link RebuildStore.takeOver}
   */
  async takeOver(): Promise<void> {
    const { chain, store } = this.#parts;
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
    return this.#parts.store.openComparison(this.areas);
  }

  close(): Promise<void> {
    return this.#parts.store.close();
  }

  /** Answers whether there may be more. */
  async #readOn(after: number): Promise<boolean> {
    this.#read = [...(await this.#parts.log.read(after, this.#options.batchSize))];
    return this.#read.length === this.#options.batchSize;
  }

  /** Applies what was read, or so much of it as memory should hold: a sweep is one record, but hundreds of users. */
  async #applyPiece(below: Batch | null): Promise<Batch> {
    const { chain } = this.#parts;
    const boards = chain.boards.openLayer(below?.boards ?? null);
    const { head, failures } = below ?? this.#committed;
    const batch = new Batch(head, below, boards, failures);
    const piece = this.#read.splice(0, pieceLength(this.#read));
    await loadDocuments(batch, piece.flatMap(usersOf), { ...this.#parts, committed: this.#committed });
    while (piece.length > 0 && batch.weight <= FULL_PIECE) {
      const record = piece.shift() as LogRecord;
      batch.records.push(record);
      if (record.fact.type === 'CorrectionRecorded') await this.#correct(batch, { ...record, fact: record.fact });
      else this.#applyRecord(batch, record);
      if (batch.boardsWait.length > 0) await chain.load(batch);
      if (this.#turns >= TURN) await this.#takeTurn();
    }
    chain.date(batch);
    this.#read.unshift(...piece);
    this.#assertNoneFailed(batch);
    return batch;
  }

  async #takeTurn(): Promise<void> {
    this.#turns = 0;
    await turnOfTheLoop();
  }

  #applyRecord(batch: Batch, record: LogRecord): void {
    const { fact } = record;
    switch (fact.type) {
      case 'ConfigurationPublished':
        return this.#takeConfiguration({ ...record, fact });
      case 'ImportOpened':
      case 'ImportClosed':
      case 'ApiKeyCreated':
      case 'ApiKeyRevoked':
        return;
      case 'UsersSwept':
        for (const [place, subject] of fact.subjects.entries())
          this.#applyToUser(batch, { ...record, fact: { type: 'UserSwept', subject, place } });
        return;
      case 'MetricEventRecorded':
      case 'UserIdentified':
      case 'AchievementCompletedByCall':
      case 'GrantRecorded':
      case 'UserErased':
        return this.#applyToUser(batch, { ...record, fact });
      case 'CorrectionRecorded':
        throw new Error('a correction is applied by folds of its user');
    }
  }

  #applyToUser(batch: Batch, record: UserRecord): void {
    const user = { account: record.account, subject: record.fact.subject };
    const configuration = this.#historyOf(record.account).at(record.configurationVersion);
    this.#turns++;
    this.#eventsOf.get(user.subject)?.push(record.position);
    this.#parts.chain.apply(batch, user, record, configuration, false);
  }

  /** Folds the user's events once more, with and without the correction. They are read again: what is held of each is its position. */
  async #correct(batch: Batch, record: CorrectionRecord): Promise<void> {
    const { account, position, fact } = record;
    const { chain, log } = this.#parts;
    const { subject } = fact;
    const user = { account, subject };
    const positions = this.#eventsOf.get(subject) ?? (await this.#findEvents(user, position));
    const earlier = (await log.correctionsOf([subject])).filter((one) => one.position < position);
    const parts = { areas: chain.userAreas, configurations: this.#historyOf(account), boards: chain.boards };
    const folds = CorrectionFolds.begin(parts, earlier, fact);
    for (let first = 0; first < positions.length; first += READ_AT_A_TIME) {
      const read = await log.readAt(positions.slice(first, first + READ_AT_A_TIME));
      for (const one of read) folds.apply(userRecordOf(one, subject));
      await this.#takeTurn();
    }
    const corrected = folds.finish(record, batch.documentOf(userKey(user)) as Document);
    chain.correct(batch, user, corrected, fact.finalRuns === 'change');
    this.#eventsOf.get(subject)?.push(position);
  }

  /** A correction that was recorded while the rebuild was under way: the log is read again as far as it was applied. */
  async #findEvents({ account, subject }: UserRef, upTo: number): Promise<readonly number[]> {
    const positions: number[] = [];
    for (let after = 0; after < upTo - 1;) {
      const records = await this.#parts.log.read(after, this.#options.batchSize);
      for (const record of records) {
        const concerned = record.position < upTo && record.account === account;
        if (concerned && usersOf(record).some((user) => user.subject === subject)) positions.push(record.position);
      }
      after = records.at(-1)?.position ?? upTo;
    }
    this.#eventsOf.set(subject, positions);
    return positions;
  }

  #takeConfiguration(record: Parameters<typeof publicationOf>[0]): void {
    const { account } = record;
    const publications = [...(this.#publications.get(account) ?? []), publicationOf(record)];
    this.#publications.set(account, publications);
    this.#histories.set(account, this.#parts.compileHistory(account, publications));
  }

  #historyOf(account: string): ConfigurationHistory {
    const history = this.#histories.get(account);
    if (!history) throw new Error(`the log holds a fact of account ${account} before any configuration of it`);
    return history;
  }

  #write(batch: Batch): Promise<void> {
    const { chain, store } = this.#parts;
    return store.write({
      documents: changedDocuments(batch, chain),
      rows: batch.addedRows(chain.tables),
      removed: batch.removedRows,
    });
  }

  #publish(batch: Batch, onProgress: (applied: number) => void): void {
    this.#committed.publish(batch);
    onProgress(this.applied);
  }

  /** A chain may hold areas behind all that are rebuilt; these may fail, as their read models stay as they are. */
  #assertNoneFailed({ failures }: Batch): void {
    const last = this.areas.at(-1);
    const decisive = AREAS.slice(0, last === undefined ? 0 : AREAS.indexOf(last) + 1);
    for (const area of decisive) {
      const failure = failures.get(area);
      if (failure === undefined) continue;
      throw new RebuildFailedError(
        `${area} cannot apply the record at position ${failure.position + 1}: ${failure.reason}`,
      );
    }
  }
}

/** Events of a corrected user that are in memory at a time. */
const READ_AT_A_TIME = 500;
/** Users' documents that a piece loads at most, but for those of its first record. */
const USERS_PER_PIECE = 20_000;
/** Rows after which a piece is closed. */
const FULL_PIECE = 50_000;

function pieceLength(records: readonly LogRecord[]): number {
  let users = 0;
  const end = records.findIndex((record, index) => {
    users += usersOf(record).length;
    return index > 0 && users > USERS_PER_PIECE;
  });
  return end < 0 ? records.length : end;
}

/** Applied, user by user, before other work of the process gets its turn. */
const TURN = 64;

function usersOf({ account, fact }: LogRecord): readonly UserRef[] {
  if ('subject' in fact) return [{ account, subject: (fact satisfies UserFact).subject }];
  return fact.type === 'UsersSwept' ? fact.subjects.map((subject) => ({ account, subject })) : [];
}
