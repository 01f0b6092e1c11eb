import {
  keyText,
  type AccountEvent,
  type CorrectionRecorded,
  type AreaName,
  type AreaTable,
  type KeyHash,
  type RecordedEvent,
  type Row,
  type Subject,
} from '@laurel/kernel';
import { EFFECTS_TABLE } from '@laurel/ports';
import {
  DuplicateKeyError,
  keyHashIn,
  type EventLog,
  type EventLookup,
  type ReplayedLog,
  type UsedKey,
} from '@laurel/event-store';
import {
  type BatchStore,
  type Checkpoint,
  type CommitBatch,
  type DueUser,
  type InboxMessage,
  type StoredDocument,
  userKey,
  type UserRef,
} from '@laurel/engine';

/** The faults of the next commits, in order; without any, commits succeed. */
export type Fault =
  /** The commit succeeds. */
  | { readonly kind: 'none' }
  /** Nothing is written. */
  | { readonly kind: 'before'; readonly error: Error }
  /** Everything is written, but the answer is lost. */
  | { readonly kind: 'after'; readonly error: Error };

/**
 * The engine's store in memory, with values stored as JSON like in the real one, for laws that need thousands of runs.
 * Commits answer only after a turn of the event loop, so that batches overlap as they do over a connection.
 */
export class MemoryBatchStore implements BatchStore, EventLog, EventLookup, ReplayedLog {
  readonly records: RecordedEvent[] = [];
  readonly documents = new Map<string, string>();
  readonly due = new Map<string, UserRef & { readonly dueAt: number }>();
  readonly rows = new Map<string, Row[]>();
  readonly inbox: InboxMessage[] = [];
  readonly checkpoints = new Map<AreaName, Checkpoint>();
  readonly faults: Fault[] = [];
  /** The configuration version for which all users were last marked as due. */
  readonly dueMarks = new Map<string, number>();
  readonly batchSizes: number[] = [];
  /** Refuses a batch with such a record, like a database that refuses a row. */
  poison: (record: RecordedEvent) => Error | null = () => null;
  reachable = true;
  readonly #tables: ReadonlyMap<string, AreaTable>;
  readonly #keys = new Map<KeyHash, UsedKey>();

  constructor(tables: readonly AreaTable[]) {
    this.#tables = new Map(tables.map((table) => [table.name, table]));
  }

  async commitBatch(batch: CommitBatch): Promise<void> {
    await turn();
    this.#assertReachable();
    const fault = this.faults.shift();
    if (fault?.kind === 'before') throw fault.error;
    for (const record of batch.records) {
      const refusal = this.poison(record);
      if (refusal) throw refusal;
    }
    this.#write(batch);
    if (fault?.kind === 'after') throw fault.error;
  }

  #write(batch: CommitBatch): void {
    if (batch.after !== this.#head()) throw new Error(`a batch after ${batch.after} does not follow ${this.#head()}`);
    const keys = batch.records.flatMap(usedKeyOf);
    if (new Set(keys.map(([key]) => key)).size < keys.length || keys.some(([key]) => this.#keys.has(key)))
      throw new DuplicateKeyError();
    for (const [key, used] of keys) this.#keys.set(key, used);
    this.records.push(...batch.records);
    this.batchSizes.push(batch.records.length);
    for (const { account, subject, document, dueAt } of batch.documents) {
      const user = userKey({ account, subject });
      this.documents.set(user, document);
      if (dueAt === null) this.due.delete(user);
      else this.due.set(user, { account, subject, dueAt });
    }
    for (const [table, rows] of batch.removed) this.#removeRows(table, rows);
    for (const [table, rows] of batch.rows) for (const row of rows) this.#writeRow(table, row);
    for (const { area, ...checkpoint } of batch.checkpoints) this.checkpoints.set(area, checkpoint);
    for (const message of batch.inbox) {
      if (this.inbox.some((one) => one.area === message.area && one.sequence === message.sequence))
        throw new Error('the inbox holds this message already');
      this.inbox.push(message);
    }
    for (const { area, sequence } of batch.applied)
      this.inbox.splice(
        this.inbox.findIndex((one) => one.area === area && one.sequence === sequence),
        1,
      );
  }

  #removeRows(name: string, gone: readonly Row[]): void {
    const { replacedBy = [] } = this.#tables.get(name) ?? {};
    const keys = new Set(gone.map((row) => keyText(replacedBy, row)));
    this.rows.set(
      name,
      (this.rows.get(name) ?? []).filter((row) => !keys.has(keyText(replacedBy, row))),
    );
  }

  #writeRow(name: string, row: Row): void {
    const rows = this.rows.get(name) ?? [];
    this.rows.set(name, rows);
    const merge = this.#tables.get(name)?.merge;
    const place = merge ? rows.findIndex((one) => merge.keyOf(one) === merge.keyOf(row)) : -1;
    if (merge && place >= 0) rows[place] = merge.combine(rows[place] as Row, row);
    else rows.push(row);
  }

  async isCommitted(batch: CommitBatch): Promise<boolean> {
    await turn();
    this.#assertReachable();
    return batch.records.length > 0 && this.records.some(({ eventId }) => eventId === batch.records[0]?.eventId);
  }

  async loadDocuments(users: readonly UserRef[]): Promise<ReadonlyMap<string, StoredDocument>> {
    await turn();
    this.#assertReachable();
    return new Map(
      users.flatMap((user) => {
        const json = this.documents.get(userKey(user));
        return json === undefined ? [] : [[userKey(user), JSON.parse(json) as StoredDocument] as const];
      }),
    );
  }

  async findKeys(keys: readonly KeyHash[]): Promise<readonly UsedKey[]> {
    await turn();
    this.#assertReachable();
    return keys.flatMap((key) => this.#keys.get(key) ?? []);
  }

  markAllDue(account: string, configurationVersion: number, at: number): Promise<void> {
    if (this.dueMarks.get(account) === configurationVersion) return Promise.resolve();
    this.dueMarks.set(account, configurationVersion);
    for (const user of this.documents.keys()) {
      const [owner = '', subject = ''] = user.split('\0');
      if (owner === account) this.due.set(user, { account: owner, subject: Number(subject), dueAt: at });
    }
    return Promise.resolve();
  }

  dueUsers(account: string, at: number, after: DueUser | null, limit: number): Promise<readonly DueUser[]> {
    const behind = ({ subject, dueAt }: DueUser) =>
      after === null || dueAt > after.dueAt || (dueAt === after.dueAt && subject > after.subject);
    const due = [...this.due.values()].filter((one) => one.account === account && one.dueAt <= at && behind(one));
    due.sort((a, b) => a.dueAt - b.dueAt || a.subject - b.subject);
    return Promise.resolve(due.slice(0, limit).map(({ subject, dueAt }) => ({ subject, dueAt })));
  }

  readCheckpoints() {
    const recordedAt = this.records.at(-1)?.recordedAt ?? -Infinity;
    return Promise.resolve({ head: this.#head(), recordedAt, checkpoints: new Map(this.checkpoints) });
  }

  readInbox(area: AreaName, limit: number): Promise<readonly InboxMessage[]> {
    const waiting = this.inbox.filter((message) => message.area === area).sort((a, b) => a.sequence - b.sequence);
    return Promise.resolve(waiting.slice(0, limit));
  }

  read(after: number, limit: number): Promise<readonly RecordedEvent[]> {
    return Promise.resolve(this.records.filter(({ position }) => position > after).slice(0, limit));
  }

  readAt(positions: readonly number[]): Promise<readonly RecordedEvent[]> {
    const wanted = new Set(positions);
    return Promise.resolve(this.records.filter(({ position }) => wanted.has(position)));
  }

  correctionsOf(subjects: readonly Subject[]): Promise<readonly RecordedEvent<CorrectionRecorded>[]> {
    const found = this.records.flatMap(({ fact, ...rest }) =>
      fact.type === 'CorrectionRecorded' && subjects.includes(fact.subject) ? [{ ...rest, fact }] : [],
    );
    return Promise.resolve(found);
  }

  correctedBehind(after: number): Promise<readonly Subject[]> {
    const corrected = this.records.flatMap(({ position, fact }) =>
      fact.type === 'CorrectionRecorded' && position > after ? [fact.subject] : [],
    );
    return Promise.resolve([...new Set(corrected)]);
  }

  find(account: string, eventId: string): Promise<RecordedEvent | null> {
    return Promise.resolve(this.records.find((one) => one.account === account && one.eventId === eventId) ?? null);
  }

  findAll(account: string, eventIds: readonly string[]): Promise<readonly RecordedEvent[]> {
    return Promise.resolve(this.records.filter((one) => one.account === account && eventIds.includes(one.eventId)));
  }

  /** Positions according to the rows of `effects`. */
  positionsOf(subject: Subject, after: number, limit: number): Promise<readonly number[]> {
    const own = (this.rows.get(EFFECTS_TABLE) ?? []).filter((row) => row['subject'] === subject);
    const positions = own.map((row) => Number(row['position'])).filter((position) => position > after);
    return Promise.resolve(positions.sort((a, b) => a - b).slice(0, limit));
  }

  readAccountEvents(account: string, types?: readonly AccountEvent['type'][]): Promise<readonly RecordedEvent[]> {
    const wanted = ({ fact }: RecordedEvent): boolean => !('subject' in fact) && (types?.includes(fact.type) ?? true);
    return Promise.resolve(this.records.filter((record) => record.account === account && wanted(record)));
  }

  head(): Promise<number> {
    return Promise.resolve(this.#head());
  }

  #head(): number {
    return this.records.at(-1)?.position ?? 0;
  }

  #assertReachable(): void {
    if (!this.reachable) throw new Error('connect ECONNREFUSED');
  }
}

function usedKeyOf(record: RecordedEvent): (readonly [KeyHash, UsedKey])[] {
  const keyHash = keyHashIn(record);
  const { account, fact, eventId, position, occurredAt } = record;
  if (keyHash === null || !('subject' in fact)) return [];
  return [[keyHash, { account, subject: fact.subject, keyHash, eventId, position, occurredAt }]];
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
