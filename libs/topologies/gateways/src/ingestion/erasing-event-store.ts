import {
  StoreUnavailableError,
  userKey,
  type AccountEvent,
  type KeyHash,
  type RecordedEvent,
  type NewRecord,
  type SqlReader,
  type UserErased,
  type UserRef,
} from '@laurel/kernel';
import { pause, type Clock } from '@laurel/ports';
import type { AppendOutcome, EventStore, StoredRecord, UsedKey } from '@laurel/event-store';
import { enterErasure, findUnrecorded, noteRecorded } from './kept-erasures.ts';

export interface ErasingEventStoreDependencies {
  /** The log, outside the database. */
  readonly store: EventStore;
  /** The schema with the directory and the table `erasures`. */
  readonly sql: SqlReader;
  readonly clock: Clock;
  /** Called for a user once the erasure is irreversible. */
  readonly onErased: (users: readonly UserRef[]) => void;
}

/**
 * The time from the deletion in the directory to the event, in which every living process learns of the erasure, because each polls twice a
 * second.
 */
export const HEARD_WITHIN_MS = 2_000;

/** Erased users whose records may still arrive, within seconds. */
const ERASED_USERS = 10_000;

/**
 * Adds the erasure of users to a log outside the database of the directory, such as EventStoreDB. One statement in the database decides: it
 * deletes the user's row and enters the erasure. Then this process records the erasure in the log or, if it ends before, the process that
 * calls {@link recordErasures}. A later record of the user that still gets into the log is never published (`lateRecords`).
 */
export class ErasingEventStore implements EventStore {
  readonly #dependencies: ErasingEventStoreDependencies;
  readonly #erased = new Set<string>();
  /** By event id: when this process first found an unrecorded erasure, by the clock's `elapsedMs`. */
  #foundAtMs: ReadonlyMap<string, number> = new Map();

  constructor(dependencies: ErasingEventStoreDependencies) {
    this.#dependencies = dependencies;
  }

  /** Forgets a user whom another process has erased: refuses the user's records. */
  forget(user: UserRef): void {
    this.#erased.add(userKey(user));
    const [oldest] = this.#erased;
    if (oldest !== undefined && this.#erased.size > ERASED_USERS) this.#erased.delete(oldest);
  }

  /**
   * Appends as {@link EventStore} says. An erasure begins after the earlier records of the call are settled, and later
   * records are appended after the erasure.
   */
  async append(records: readonly NewRecord[]): Promise<readonly AppendOutcome[]> {
    const place = records.findIndex(isErasure);
    if (place < 0) return this.#appendOthers(records);
    const before = await this.#appendOthers(records.slice(0, place));
    const erased = await this.#erase(records[place] as NewRecord<UserErased>);
    return [...before, erased, ...(await this.append(records.slice(place + 1)))];
  }

  /**
   * Records entered erasures that are not in the log, after the time that other processes need to learn of them. The leader calls it every
   * second. @throws StoreUnavailableError; Error if one cannot be recorded. The next call retries it
   */
  async recordErasures(): Promise<void> {
    const nowMs = this.#dependencies.clock.elapsedMs();
    const found = await findUnrecorded(this.#dependencies.sql);
    this.#foundAtMs = new Map(found.map(({ eventId }) => [eventId, this.#foundAtMs.get(eventId) ?? nowMs]));
    for (const record of found) {
      if (nowMs - (this.#foundAtMs.get(record.eventId) ?? nowMs) < HEARD_WITHIN_MS) continue;
      const outcome = await this.#record(record);
      if (outcome.kind !== 'recorded')
        throw new Error(`the erasure ${record.eventId} could not be recorded`, { cause: outcome });
    }
  }

  read(after: number, limit: number): Promise<readonly RecordedEvent[]> {
    return this.#dependencies.store.read(after, limit);
  }

  readStored(after: number, limit: number): Promise<readonly StoredRecord[]> {
    return this.#dependencies.store.readStored(after, limit);
  }

  readAccountEvents(account: string, types?: readonly AccountEvent['type'][]): Promise<readonly RecordedEvent[]> {
    return this.#dependencies.store.readAccountEvents(account, types);
  }

  findKeys(keys: readonly KeyHash[]): Promise<readonly UsedKey[]> {
    return this.#dependencies.store.findKeys(keys);
  }

  head(): Promise<number> {
    return this.#dependencies.store.head();
  }

  onAppend(listener: () => void): () => void {
    return this.#dependencies.store.onAppend(listener);
  }

  checkAccess(): Promise<void> {
    return this.#dependencies.store.checkAccess();
  }

  close(): Promise<void> {
    return this.#dependencies.store.close();
  }

  /** Returns `erased` also for a user who was erased during the append: a retry would belong to a new user. */
  async #appendOthers(records: readonly NewRecord[]): Promise<readonly AppendOutcome[]> {
    const allowed = records.filter((record) => !this.#isErased(record));
    const appended = allowed.length === 0 ? [] : await this.#dependencies.store.append(allowed);
    const outcomes = new Map(allowed.map((record, index) => [record, appended[index] as AppendOutcome]));
    return this.#unlessErased(
      records,
      records.map((record) => outcomes.get(record) ?? ERASED),
    );
  }

  #unlessErased(records: readonly NewRecord[], outcomes: readonly AppendOutcome[]): readonly AppendOutcome[] {
    if (this.#erased.size === 0) return outcomes;
    return outcomes.map((outcome, index) =>
      outcome.kind === 'recorded' && this.#isErased(records[index] as NewRecord) ? ERASED : outcome,
    );
  }

  #isErased({ account, fact }: NewRecord): boolean {
    return 'subject' in fact && this.#erased.has(userKey({ account, subject: fact.subject }));
  }

  async #erase(record: NewRecord<UserErased>): Promise<AppendOutcome> {
    const { sql, clock, onErased } = this.#dependencies;
    const user = { account: record.account, subject: record.fact.subject };
    try {
      const refusal = await enterErasure(sql, record);
      if (refusal !== null) return refusal;
      this.forget(user);
      onErased([user]);
      await pause(clock, HEARD_WITHIN_MS);
      return await this.#record(record);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      return { kind: 'failed', recorded: 'unknown', error };
    }
  }

  /** Several processes may do so: the stream of the event is named by its id, and can be created only once. */
  async #record(record: NewRecord<UserErased>): Promise<AppendOutcome> {
    const [outcome] = await this.#dependencies.store.append([record]);
    if (outcome === undefined) throw new Error('the event store answered without an outcome');
    if (outcome.kind === 'recorded') await noteRecorded(this.#dependencies.sql, [outcome.record]);
    return outcome.kind === 'failed' ? { ...outcome, recorded: 'unknown' } : outcome;
  }
}

const ERASED = { kind: 'erased' } as const;

const isErasure = ({ fact }: NewRecord): boolean => fact.type === 'UserErased';
