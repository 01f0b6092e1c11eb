import { formatInstant } from '@laurel/calendar';
import { userKey, type UserRef } from '@laurel/kernel';
import { isAnswerOfServer, type DataKeys } from '@laurel/ports';
import { FencedError } from '../event-store.ts';
import { keysToSeal } from '../personal-fields.ts';
import { byKeyHash } from '../key-readings.ts';
import { type PendingRecord, identityOf, isOpen } from '../pending-record.ts';
import type { BatchRecorder } from './append-queue.ts';
import {
  APPEND_ERASING,
  APPEND_SHARED,
  eventRow,
  FIND_ERASED,
  isDuplicateKey,
  isRefusedData,
  type EventRow,
} from './log-statements.ts';
import type { LogWriter } from './log-writer.ts';
import { FIND_KEYS, usedKeyOf, type KeyRow } from './postgres-log-reader.ts';

/** $1: the position after which to look; $2: event ids. */
const FIND_EVENTS = 'select event_id, position from events where position > $1 and event_id = any($2::uuid[])';

/** After a used key, keys are looked up in advance until this many batches had no used key. */
const LOOK_UP_BATCHES = 20;

/** Abandoned records with an unknown outcome that are remembered; beyond this number the oldest are forgotten. */
const DOUBTFUL_EVENTS = 100_000;

/** Erased users whose records may still arrive, within seconds; newest last. */
const ERASED_USERS = 10_000;

const READ_HEAD = 'select epoch, erased_to from log_head';

/** The head of the log when a process opens it. */
export interface OpenedHead {
  /** The position of the newest record. */
  readonly position: number;
  /** The position of the newest erasure; 0 if there is none. */
  readonly erasedTo: number;
}

/**
 * Records batches in a log that several processes share. One statement per batch locks the head of the log, assigns the next positions and
 * unlocks the head with its commit. Positions are contiguous.
 *
 * No event of a user is recorded after the erasure of the user: the head names the newest erasure, and an append that names an older one
 * writes nothing. The recorder then reads the erasures, refuses records of erased users, and sends the rest again.
 */
export class PostgresRecorder implements BatchRecorder {
  readonly #writer: LogWriter;
  readonly #keys: DataKeys;
  readonly #onErased: (users: readonly UserRef[]) => void;
  #head: number;
  #erasedTo: number;
  #lookUps = 0;
  readonly #doubtful = new Map<string, number>();
  readonly #erased = new Set<string>();

  /** @param onErased as in PostgresEventStoreDependencies */
  constructor(writer: LogWriter, keys: DataKeys, head: OpenedHead, onErased: (users: readonly UserRef[]) => void) {
    this.#writer = writer;
    this.#keys = keys;
    this.#head = head.position;
    this.#erasedTo = head.erasedTo;
    this.#onErased = onErased;
  }

  /** Called when another process has seen the log reach this position. */
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

  /** Their session has ended ({@link LogWriter.connect}), so records that are not in the log now never will be. */
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
    for (this.#refuseErased(batch); batch.some(isOpen); this.#refuseErased(batch)) {
      const groups = upToErasure(groupsOf(batch));
      try {
        const base = await this.#send(groups.map(([first]) => first));
        if (base !== null) groups.forEach((group, index) => settleTogether(group, base + index + 1));
      } catch (error) {
        if (isDuplicateKey(error)) await this.#settleUsed(batch);
        else if (isRefusedData(error)) await this.#bisect(batch.filter(isOpen), error as Error);
        else throw error;
      }
    }
  }

  #refuseErased(batch: readonly PendingRecord[]): void {
    if (this.#erased.size === 0) return;
    const refused = new Map<string, UserRef>();
    for (const one of batch.filter(isOpen)) {
      const user = userOf(one);
      if (user === null || !this.#erased.has(userKey(user))) continue;
      refused.set(userKey(user), user);
      one.settle({ kind: 'erased' });
    }
    if (refused.size > 0) this.#onErased([...refused.values()]);
  }

  /**
   * @returns the position before the first record; null if nothing was recorded, because of an erasure that was not known, or because an
   * import is open and this is an erasure
   */
  async #send(records: readonly PendingRecord[]): Promise<number | null> {
    const keys = await keysToSeal(
      records.map(({ record }) => record),
      this.#keys,
    );
    for (const one of records) one.sentAfter = this.#head;
    const rows = records.map(({ record }, index) => eventRow({ ...record, position: index + 1 }, keys));
    const erased = erasedBy(records[0]);
    const [name, statement] =
      erased === null ? (['append-shared', APPEND_SHARED] as const) : (['append-erasing', APPEND_ERASING] as const);
    try {
      const [head] = await this.#writer.query<{ base: string | null }>(name, statement, [
        this.#writer.epoch,
        rows.length,
        JSON.stringify(rows),
        formatInstant(Math.max(...records.map(({ record }) => record.recordedAt))),
        this.#erasedTo,
        ...(erased === null ? [] : [erased.account, erased.subject]),
      ]);
      for (const one of records) one.sentAfter = null;
      if (!head) return await this.#learnErased();
      if (head.base === null) {
        records[0]?.settle({ kind: 'import_open' });
        return null;
      }
      const last = Number(head.base) + rows.length;
      this.passed(last);
      if (erased !== null) {
        this.#erasedTo = Math.max(this.#erasedTo, last);
        this.#remember([erased]);
      }
      return Number(head.base);
    } catch (error) {
      if (isAnswerOfServer(error)) for (const one of records) this.#notRecorded(one);
      throw error;
    }
  }

  async #learnErased(): Promise<null> {
    const [head] = await this.#writer.query<{ epoch: string; erased_to: string }>('head', READ_HEAD, []);
    if (Number(head?.epoch) !== this.#writer.epoch) throw new FencedError();
    const rows = await this.#writer.query<Pick<EventRow, 'position' | 'account' | 'subject'>>(
      'find-erased',
      FIND_ERASED,
      [this.#erasedTo],
    );
    this.#remember(rows.map(({ account, subject }) => ({ account, subject: Number(subject) })));
    this.#erasedTo = Math.max(this.#erasedTo, Number(head?.erased_to), Number(rows.at(-1)?.position ?? 0));
    return null;
  }

  #remember(erased: readonly UserRef[]): void {
    for (const user of erased) {
      this.#erased.add(userKey(user));
      const [oldest] = this.#erased;
      if (oldest !== undefined && this.#erased.size > ERASED_USERS) this.#erased.delete(oldest);
    }
    if (erased.length > 0) this.#onErased(erased);
  }

  /** Isolates a record that the database refuses, so that the others of the batch are recorded. */
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

/** Records with the same identity. Only the first is sent; its outcome settles the others. */
type Group = [first: PendingRecord, ...others: PendingRecord[]];

/** Groups the open records by identity, because only one of each group can be recorded; ordered by the first of each. */
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

const userOf = ({ record: { account, fact } }: PendingRecord): UserRef | null =>
  'subject' in fact ? { account, subject: fact.subject } : null;

const erasedBy = (one: PendingRecord | undefined): UserRef | null =>
  one?.record.fact.type === 'UserErased' ? userOf(one) : null;

/**
 * An erasure is sent alone: a record before it may open an import, which the statement must find in the log, and a record after it may belong
 * to the same user.
 */
function upToErasure(groups: readonly Group[]): readonly Group[] {
  const place = groups.findIndex(([first]) => erasedBy(first) !== null);
  return place < 0 ? groups : groups.slice(0, Math.max(1, place));
}

function settleTogether(group: Group, position: number): void {
  const [{ eventId, keyHash, record }] = group;
  const { account, fact, occurredAt } = record;
  for (const one of group)
    if (keyHash === null || !('subject' in fact)) one.recordedAt(position);
    else one.usedBy({ account, subject: fact.subject, keyHash, eventId, position, occurredAt });
}
