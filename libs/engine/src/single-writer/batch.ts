import type { Instant, LocalDate } from '@laurel/calendar';
import {
  makesOutcomes,
  type AreaName,
  type AreaTable,
  type BoardsLayer,
  type ChainMessage,
  type Configuration,
  type Effect,
  type RecordedEvent,
  type MissingRuns,
  type Row,
  type Rows,
  type RecordedUserEvent,
} from '@laurel/kernel';
import type { InboxMessage } from '../storage/batch-store.ts';
import type { Account } from './account.ts';
import { AreaRows } from '../folding/area-rows.ts';
import { ChangedUser } from '../folding/changed-user.ts';
import { ChangedUsers } from '../folding/changed-users.ts';
import { userKey, type Document, type UserRef } from '../folding/document.ts';
import { encodeMessage } from '../folding/message-codec.ts';
import type { EmittedEffects } from './recent-events.ts';

/** The original event of an idempotency key. */
export interface OriginalEvent {
  readonly eventId: string;
  /** The event's local date, in the user's time zone of that time. */
  readonly date: LocalDate;
  /** Set if a correction has retracted the event. */
  readonly retracted?: boolean;
}

/** Where and why an area has stopped. */
export interface Failure {
  /** Position of the last record that the area has applied. */
  readonly position: number;
  readonly reason: string;
}

/** Where the log and the areas stand before a batch. */
export interface BatchStart {
  /** Position of the newest record. */
  readonly head: number;
  /** When it was recorded; -Infinity: there is none. */
  readonly recordedAt: Instant;
  readonly failures: ReadonlyMap<AreaName, Failure>;
}

/** More than a record has messages. */
const MESSAGES_PER_POSITION = 10_000;

/** The position of a waiting message's record. */
export const positionOf = ({ sequence }: InboxMessage): number => Math.floor(sequence / MESSAGES_PER_POSITION);

/**
 * Changes on top of the committed state and of the batch below, whose commit may still be running. Nobody else sees
 * them before the commit. If the commit fails, the batch and the one above it are dropped.
 */
export class Batch {
  readonly records: RecordedEvent[] = [];
  readonly inbox: InboxMessage[] = [];
  /** Effects of events that outcomes may be made of. Only events that every area has applied. */
  readonly effects: EmittedEffects[] = [];
  /** Stored size of each changed document, by `userKey`; known once the document is encoded for the commit. */
  readonly documentBytes = new Map<string, number>();
  /** Users and submissions with a command that waits for the next batch. Their later commands must wait, too. */
  readonly held = new Set<string | symbol>();
  /**
   * Work of the boards that needs a run not in memory, and all work after it, in order. Each function returns the
   * missing runs and changes nothing, or returns null when its work is done.
   */
  readonly boardsWait: (() => MissingRuns | null)[] = [];
  readonly users = new ChangedUsers();
  /** Rows from settling users whose commands wait. */
  settled = 0;
  readonly #after: number;
  readonly #recordedAfter: Instant;
  readonly #boards: BoardsLayer;
  #below: Batch | null;
  readonly #loaded = new Map<string, Document>();
  readonly #keys = new Map<string, OriginalEvent>();
  readonly #foundKeys = new Map<string, OriginalEvent>();
  readonly #rows = new AreaRows();
  readonly #removed = new Map<string, Row[]>();
  readonly #failures = new Map<AreaName, Failure>();
  readonly #accounts = new Map<string, Account>();

  /** @param below the batch that is being committed, or null */
  constructor({ head, recordedAt, failures }: BatchStart, below: Batch | null, boards: BoardsLayer) {
    this.#after = head;
    this.#recordedAfter = recordedAt;
    this.#below = below;
    this.#boards = boards;
    for (const [area, failure] of failures) this.#failures.set(area, failure);
  }

  get after(): number {
    return this.#after;
  }

  get head(): number {
    return this.#after + this.records.length;
  }

  /** When the newest record was recorded. Later records never have an earlier instant. */
  get recordedAt(): Instant {
    return this.records.at(-1)?.recordedAt ?? this.#recordedAfter;
  }

  /** Number of rows that the areas have added: the cost of a commit. */
  get weight(): number {
    return this.#rows.count;
  }

  get boards(): BoardsLayer {
    return this.#boards;
  }

  get failures(): ReadonlyMap<AreaName, Failure> {
    return this.#failures;
  }

  /** Whether there is nothing to commit. */
  get isEmpty(): boolean {
    return this.records.length === 0 && this.users.byKey.size === 0;
  }

  documentOf(user: string): Document | undefined {
    return this.users.byKey.get(user)?.document ?? this.#below?.documentOf(user) ?? this.#loaded.get(user);
  }

  /** Keeps a committed document available while the batch is built. */
  keep(user: string, document: Document): void {
    this.#loaded.set(user, document);
  }

  originalOf(key: string): OriginalEvent | undefined {
    return this.#keys.get(key) ?? this.#below?.originalOf(key) ?? this.#foundKeys.get(key);
  }

  /** Keeps the stored event of a key available while the batch is built. */
  keepOriginal(key: string, original: OriginalEvent): void {
    this.#foundKeys.set(key, original);
  }

  accountOf(name: string): Account | undefined {
    return this.#accounts.get(name) ?? this.#below?.accountOf(name);
  }

  setAccount(account: Account): void {
    this.#accounts.set(account.name, account);
  }

  /** The document must not be changed after this call. */
  setDocument(user: UserRef, document: Document, configuration: Configuration): void {
    this.users.put(userKey(user), new ChangedUser(user, document, configuration, null));
  }

  setOriginal(key: string, original: OriginalEvent): void {
    this.#keys.set(key, original);
  }

  addRows(rows: Rows): void {
    this.#rows.add(rows);
  }

  /** Removes rows, both added here and stored. Rows added later are not affected. */
  removeRows(tables: readonly AreaTable[], removed: Rows): void {
    this.#rows.remove(tables, removed);
    for (const [table, rows] of removed) {
      const present = this.#removed.get(table);
      if (present) present.push(...rows);
      else this.#removed.set(table, [...rows]);
    }
  }

  /** Stored rows to remove, by table. */
  get removedRows(): ReadonlyMap<string, readonly Row[]> {
    return this.#removed;
  }

  /** Records that are not known to be committed, up to the batch's own, and the position before them. */
  get uncommitted(): { readonly after: number; readonly records: readonly RecordedEvent[] } {
    const below = this.#below;
    return below === null ? { after: this.#after, records: NONE } : { after: below.after, records: below.records };
  }

  stop(area: AreaName, failure: Failure): void {
    this.#failures.set(area, failure);
  }

  /**
   * Parks a message for an area that has stopped. A sweep parks one for each of its users, all with the same position.
   */
  defer(area: AreaName, message: ChainMessage): void {
    const { position } = message.record;
    const before = this.inbox.filter((waiting) => waiting.area === area && positionOf(waiting) === position).length;
    this.inbox.push({ area, sequence: position * MESSAGES_PER_POSITION + before, message: encodeMessage(message) });
  }

  /** Keeps the effects of an event for the outcomes made of it. Does nothing if the account makes no outcomes. */
  noteEffects({ position, fact }: RecordedUserEvent, emitted: readonly Effect[], { outgoing }: Configuration): void {
    if (!outgoing) return;
    const effects = makesOutcomes(outgoing.effects, emitted) ? emitted : NO_EFFECTS;
    this.effects.push({ position, subject: fact.subject, effects });
  }

  get accounts(): ReadonlyMap<string, Account> {
    return this.#accounts;
  }

  get keys(): ReadonlyMap<string, OriginalEvent> {
    return this.#keys;
  }

  /** Rows by table, with rows of the same key merged. */
  mergedRows(tables: readonly AreaTable[]): ReadonlyMap<string, readonly Row[]> {
    return this.#rows.merged(tables);
  }

  /** Called when the batch below is committed: its changes are now part of the committed state. */
  detach(): void {
    this.#below = null;
  }
}

const NONE: readonly RecordedEvent[] = [];
const NO_EFFECTS: readonly Effect[] = [];
