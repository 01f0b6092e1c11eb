import { formatInstant } from '@laurel/calendar';
import type { DataKeys } from '@laurel/contracts';
import { FencedError } from '../event-store.ts';
import { keysToSeal } from '../personal-fields.ts';
import { byKeyHash } from '../key-readings.ts';
import { type PendingRecord, identityOf, isOpen } from '../pending-record.ts';
import type { BatchRecorder } from './append-lane.ts';
import { APPEND_SHARED, eventRow, isDuplicateKey, isRefusedData, type EventRow } from './log-statements.ts';
import { isAnswerOfServer, type LogWriter } from './log-writer.ts';
import { FIND_KEYS, usedKeyOf, type KeyRow } from './postgres-log-reader.ts';

/** $1: a position behind which the events are, or nowhere; $2: their ids. */
const FIND_EVENTS = 'select event_id, position from events where position > $1 and event_id = any($2::uuid[])';

/** After a key turned out to be used, keys are looked up beforehand until that many batches had no such key. */
const LOOK_UP_BATCHES = 20;

/** Records given up in doubt of which the outcome is remembered to be unknown; the oldest are forgotten beyond. */
const DOUBTFUL_EVENTS = 100_000;

/**
 * Records batches beside other processes: one statement each, which takes the head of the log, gives out the positions behind it
 * and lets go of it with its commit. Positions are contiguous.
 */
export class PostgresRecorder implements BatchRecorder {
  readonly #writer: LogWriter;
  readonly #keys: DataKeys;
  #head: number;
  #lookUps = 0;
  readonly #doubtful = new Map<string, number>();

  /** @param head a position that the log has reached */
  constructor(writer: LogWriter, keys: DataKeys, head: number) {
    this.#writer = writer;
    this.#keys = keys;
    this.#head = head;
  }

  /** The log has come so far, as somebody else has learned. */
  passed(position: number): void {
    this.#head = Math.max(this.#head, position);
  }

  giveUp({ eventId, sentAfter }: PendingRecord): void {
    this.#doubtful.set(eventId, sentAfter ?? 0);
    const [oldest] = this.#doubtful.keys();
    if (oldest !== undefined && this.#doubtful.size > DOUBTFUL_EVENTS) this.#doubtful.delete(oldest);
  }

  async record(batch: readonly PendingRecord[]): Promise<void> {
    await this.#writer.connect();
    for (const one of batch) one.sentAfter ??= this.#doubtful.get(one.eventId) ?? null;
    await this.#findSent(batch.filter(({ sentAfter }) => sentAfter !== null));
    await this.#insert(batch);
  }

  /** The session that sent them has ended ({@link LogWriter.connect}): what is not in the log now never will be. */
  async #findSent(sent: readonly PendingRecord[]): Promise<void> {
    if (sent.length === 0) return;
    const after = sent.reduce((least, { sentAfter }) => Math.min(least, sentAfter ?? least), Infinity);
    const rows = await this.#writer.query<Pick<EventRow, 'event_id' | 'position'>>('find-events', FIND_EVENTS, [
      after,
      sent.map(({ eventId }) => eventId),
    ]);
    const places = new Map(rows.map((row) => [row.event_id, Number(row.position)]));
    for (const one of sent) {
      const place = places.get(one.eventId);
      if (place !== undefined) one.recordedAt(place);
      else this.#notRecorded(one);
    }
  }

  #notRecorded(pending: PendingRecord): void {
    pending.sentAfter = null;
    this.#doubtful.delete(pending.eventId);
  }

  async #insert(batch: readonly PendingRecord[]): Promise<void> {
    if (this.#lookUps > 0) await this.#settleUsed(batch);
    while (batch.some(isOpen)) {
      const groups = groupsOf(batch);
      try {
        const base = await this.#send(groups.map(([first]) => first));
        groups.forEach((group, index) => settleTogether(group, base + index + 1));
      } catch (error) {
        if (isDuplicateKey(error)) await this.#settleUsed(batch);
        else if (isRefusedData(error)) await this.#bisect(batch.filter(isOpen), error as Error);
        else throw error;
      }
    }
  }

  /** @returns the position below the first of them. */
  async #send(records: readonly PendingRecord[]): Promise<number> {
    const keys = await keysToSeal(
      records.map(({ record }) => record),
      this.#keys,
    );
    for (const one of records) one.sentAfter = this.#head;
    const rows = records.map(({ record }, index) => eventRow({ ...record, position: index + 1 }, keys));
    try {
      const [head] = await this.#writer.query<{ base: string }>('append-shared', APPEND_SHARED, [
        this.#writer.epoch,
        rows.length,
        JSON.stringify(rows),
        formatInstant(Math.max(...records.map(({ record }) => record.recordedAt))),
      ]);
      for (const one of records) one.sentAfter = null;
      if (!head) throw new FencedError();
      this.passed(Number(head.base) + rows.length);
      return Number(head.base);
    } catch (error) {
      if (isAnswerOfServer(error)) for (const one of records) this.#notRecorded(one);
      throw error;
    }
  }

  /** One value that the database refuses must not fail the others of its batch. */
  async #bisect(batch: readonly PendingRecord[], error: Error): Promise<void> {
    const [only] = batch;
    if (only && batch.length === 1) return only.settle({ kind: 'rejected', error });
    const middle = Math.ceil(batch.length / 2);
    await this.#insert(batch.slice(0, middle));
    await this.#insert(batch.slice(middle));
  }

  async #settleUsed(batch: readonly PendingRecord[]): Promise<void> {
    const hashes = batch.filter(isOpen).flatMap(({ keyHash }) => keyHash ?? []);
    if (hashes.length === 0) return;
    const rows = await this.#writer.query<KeyRow>('find-keys', FIND_KEYS, [hashes]);
    this.#lookUps = rows.length > 0 ? LOOK_UP_BATCHES : this.#lookUps - 1;
    const used = byKeyHash(rows.map(usedKeyOf));
    for (const one of batch) {
      const original = one.keyHash !== null && used.get(one.keyHash);
      if (original) one.usedBy(original);
    }
  }
}

/** The first one is sent; what becomes of it settles the others. */
type Group = [first: PendingRecord, ...others: PendingRecord[]];

/** The open records, those of which only one can be recorded together, in order of their firsts. */
function groupsOf(batch: readonly PendingRecord[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const one of batch.filter(isOpen)) {
    const identity = identityOf(one);
    const group = groups.get(identity);
    if (group) group.push(one);
    else groups.set(identity, [one]);
  }
  return [...groups.values()];
}

function settleTogether(group: Group, position: number): void {
  const [{ eventId, keyHash, record }] = group;
  const { account, fact, occurredAt } = record;
  for (const one of group)
    if (keyHash === null || !('subject' in fact)) one.recordedAt(position);
    else one.usedBy({ account, subject: fact.subject, keyHash, eventId, position, occurredAt });
}
