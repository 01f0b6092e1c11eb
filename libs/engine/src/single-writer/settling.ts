import type { Instant } from '@laurel/calendar';
import { sweepUsers, type CommandResult, type Subject, type SweepUsers } from '@laurel/kernel';
import { ofState } from '../folding/damaged-state.ts';
import { userKey, type Document, type UserRef } from '../folding/document.ts';
import { dueAt } from '../folding/due-at.ts';
import type { Batch } from './batch.ts';
import type { Chain } from './chain.ts';
import type { EventAppender } from './event-appender.ts';
import type { EngineTask } from './internal-command.ts';
import type { KeyLookup } from './key-lookup.ts';
import type { Quarantine } from './quarantine.ts';

/** Share of a batch's rows that the time awards of one record may take. */
const CHUNK = 1 / 4;
/** Share of a batch's rows for settling users whose commands wait. The rest is for commands of other users. */
const SHARE_TO_SETTLE = 1 / 2;

export interface SettlingDependencies {
  readonly chain: Chain;
  readonly appender: EventAppender;
  readonly keys: Pick<KeyLookup, 'originalOf'>;
  readonly quarantine: Quarantine;
  readonly newEventId: (at: Instant) => string;
}

/** Settles due changes in chunks that fit into a batch. */
export class Settling {
  readonly #dependencies: SettlingDependencies;

  constructor(dependencies: SettlingDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Settles an inactive user before the user's next event, if more is owed than one record or batch should hold. Each
   * chunk is a separate sweep, with one chunk per batch, so that events of other users are committed in between.
   * Returns whether the event may follow in this batch.
   */
  settleBefore(batch: Batch, { command, receivedAt }: EngineTask, rows: number): boolean {
    if (!('subject' in command)) return true;
    const at = 'occurredAt' in command ? (command.occurredAt ?? receivedAt) : receivedAt;
    const bound = this.#chunkBound(batch, command, at, rows);
    if (bound === null || this.#dependencies.keys.originalOf(batch, command) !== undefined) return true;
    if (batch.settled > rows * SHARE_TO_SETTLE) return false;
    this.#settleChunk(batch, command, bound, receivedAt);
    return this.#chunkBound(batch, command, at, rows) === null;
  }

  /** Settles users who are due. Users who do not fit into this batch stay due, and the next step finds them. */
  sweep(batch: Batch, task: EngineTask, command: SweepUsers, rows: number): CommandResult {
    const { appender } = this.#dependencies;
    const { account } = command;
    const isImporting = appender.accountOf(batch, account).openImport !== null;
    const subjects = isImporting ? [] : this.#dueAmong(batch, task, command, rows);
    const { events } = sweepUsers({ ...command, subjects }, { now: task.receivedAt, isImporting });
    const receipt = { eventId: task.eventId, receivedAt: task.receivedAt, wantsAnswer: false };
    return appender.appendAll(batch, account, events, receipt);
  }

  /** Whether something is due for the user and not settled yet. */
  isDue(batch: Batch, user: UserRef, at: Instant): boolean {
    const { chain, appender } = this.#dependencies;
    const document = batch.documentOf(userKey(user)) as Document;
    const due = dueAt(chain.userAreas, user, document, appender.configurationOf(batch, user.account));
    return due !== null && due <= at;
  }

  /** The users who are still due after full chunks are settled. */
  #dueAmong(batch: Batch, { receivedAt: at }: EngineTask, { account, subjects }: SweepUsers, rows: number) {
    const { quarantine, appender } = this.#dependencies;
    const due: Subject[] = [];
    for (const subject of subjects) {
      const user = { account, subject };
      const isLeftOut = quarantine.holds(user) || batch.documentOf(userKey(user)) === undefined;
      if (isLeftOut || batch.held.has(userKey(user))) continue;
      for (let bound; batch.weight <= rows && (bound = this.#chunkBound(batch, user, at, rows)) !== null;)
        this.#settleChunk(batch, user, bound, at);
      if (batch.weight > rows) break;
      if (this.isDue(batch, user, at)) due.push(subject);
      else {
        const document = batch.documentOf(userKey(user)) as Document;
        batch.setDocument(user, document, appender.configurationOf(batch, account));
      }
    }
    return due;
  }

  /**
   * The end of a first chunk of what a user is owed at `at`, or null if everything fits into one chunk.
   * @throws DamagedStateError if an area cannot work with its state
   */
  #chunkBound(batch: Batch, user: UserRef, at: Instant, rows: number): Instant | null {
    // A stopped area applies nothing, so it would be owed the same again and again.
    if (batch.failures.size > 0) return null;
    const { chain, appender } = this.#dependencies;
    const configuration = appender.configurationOf(batch, user.account);
    const document = batch.documentOf(userKey(user)) as Document;
    const chunk = Math.max(1, Math.floor(rows * CHUNK));
    let bound = at;
    for (const [place, area] of chain.userAreas.entries()) {
      if (area.settleBound === undefined) continue;
      const own = ofState(user, area, () => area.settleBound?.(document[place], configuration, at, chunk));
      bound = Math.min(bound, own ?? at);
    }
    return bound < at ? bound : null;
  }

  #settleChunk(batch: Batch, { account, subject }: UserRef, bound: Instant, receivedAt: Instant): void {
    const { appender, newEventId } = this.#dependencies;
    const before = batch.weight;
    const { events } = sweepUsers(
      { type: 'SweepUsers', account, subjects: [subject] },
      { now: bound, isImporting: false },
    );
    const receipt = { eventId: newEventId(receivedAt), receivedAt, wantsAnswer: false };
    appender.appendAll(batch, account, events, receipt);
    batch.settled += batch.weight - before;
  }
}
