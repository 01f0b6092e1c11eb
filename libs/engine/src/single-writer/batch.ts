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
  /** The date of its instant on the user's clock of that time. */
  readonly date: LocalDate;
  /** Present: a correction has retracted it. */
  readonly retracted?: boolean;
}

/** Where and why an area has stopped. */
export interface Failure {
  /** The last record that it has applied. */
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

/** The position of the record that a waiting message is about. */
export const positionOf = ({ sequence }: InboxMessage): number => Math.floor(sequence / MESSAGES_PER_POSITION);

/**
 * What a batch changes, on top of what is committed and of the batch below it, whose commit may still be under way.
 * Nobody else sees it before the commit; if that fails, the batch and the one above it are simply forgotten.
 */
export class Batch {
  readonly records: RecordedEvent[] = [];
  readonly inbox: InboxMessage[] = [];
  /** Effects of the events that outcomes may be made of: only of those that every area has applied. */
  readonly effects: EmittedEffects[] = [];
  /** How long each changed document is as it is stored, by `userKey`; known once it was encoded for the commit. */
  readonly documentBytes = new Map<string, number>();
  /** Users and submissions of which a command waits for the next batch: those behind it must wait, too. */
  readonly held = new Set<string | symbol>();
  /**
   * What the boards are to do or to answer and lacks a run that is not in memory, and everything behind it, in order. Each returns the runs
   * that it lacks, and then has done nothing; null: it is done.
   */
  readonly boardsWait: (() => MissingRuns | null)[] = [];
  readonly users = new ChangedUsers();
  /** Rows of what was settled before the commands that wait for it. */
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

  /** @param below null: nothing is being committed */
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

  /** When the newest record was recorded. What follows is recorded then or later. */
  get recordedAt(): Instant {
    return this.records.at(-1)?.recordedAt ?? this.#recordedAfter;
  }

  /** Rows that the areas have added: what a commit costs. */
  get weight(): number {
    return this.#rows.count;
  }

  get boards(): BoardsLayer {
    return this.#boards;
  }

  get failures(): ReadonlyMap<AreaName, Failure> {
    return this.#failures;
  }

  /** Nothing to commit. */
  get isEmpty(): boolean {
    return this.records.length === 0 && this.users.byKey.size === 0;
  }

  documentOf(user: string): Document | undefined {
    return this.users.byKey.get(user)?.document ?? this.#below?.documentOf(user) ?? this.#loaded.get(user);
  }

  /** Keeps a committed document at hand for the length of the batch. */
  keep(user: string, document: Document): void {
    this.#loaded.set(user, document);
  }

  originalOf(key: string): OriginalEvent | undefined {
    return this.#keys.get(key) ?? this.#below?.originalOf(key) ?? this.#foundKeys.get(key);
  }

  /** Keeps what the store says of a key at hand for the length of the batch. */
  keepOriginal(key: string, original: OriginalEvent): void {
    this.#foundKeys.set(key, original);
  }

  accountOf(name: string): Account | undefined {
    return this.#accounts.get(name) ?? this.#below?.accountOf(name);
  }

  setAccount(account: Account): void {
    this.#accounts.set(account.name, account);
  }

  /** Nothing is written into the document from now on. */
  setDocument(user: UserRef, document: Document, configuration: Configuration): void {
    this.users.put(userKey(user), new ChangedUser(user, document, configuration, null));
  }

  setOriginal(key: string, original: OriginalEvent): void {
    this.#keys.set(key, original);
  }

  addRows(rows: Rows): void {
    this.#rows.add(rows);
  }

  /** Takes rows away: those that were added here, and those that the store holds. Before what is added from now on. */
  removeRows(tables: readonly AreaTable[], removed: Rows): void {
    this.#rows.remove(tables, removed);
    for (const [table, rows] of removed) {
      const present = this.#removed.get(table);
      if (present) present.push(...rows);
      else this.#removed.set(table, [...rows]);
    }
  }

  /** Rows that the store is to take away, by table. */
  get removedRows(): ReadonlyMap<string, readonly Row[]> {
    return this.#removed;
  }

  /** What is recorded and not known to be committed: behind which position, and these records up to the batch's own. */
  get uncommitted(): { readonly after: number; readonly records: readonly RecordedEvent[] } {
    const below = this.#below;
    return below === null ? { after: this.#after, records: NONE } : { after: below.after, records: below.records };
  }

  stop(area: AreaName, failure: Failure): void {
    this.#failures.set(area, failure);
  }

  /** Leaves a message for an area that has stopped. A sweep leaves one for each of its users, all at one position. */
  defer(area: AreaName, message: ChainMessage): void {
    const { position } = message.record;
    const before = this.inbox.filter((waiting) => waiting.area === area && positionOf(waiting) === position).length;
    this.inbox.push({ area, sequence: position * MESSAGES_PER_POSITION + before, message: encodeMessage(message) });
  }

  /** Keeps what an event caused for the outcomes that are made of it: nothing, where none are. */
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

  /** Rows by table, those on the same key merged. */
  mergedRows(tables: readonly AreaTable[]): ReadonlyMap<string, readonly Row[]> {
    return this.#rows.merged(tables);
  }

  /** The batch below is committed: what it changed is now found where everything committed is. */
  detach(): void {
    this.#below = null;
  }
}

const NONE: readonly RecordedEvent[] = [];
const NO_EFFECTS: readonly Effect[] = [];
