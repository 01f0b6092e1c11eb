import type { RecordedEvent as EsdbEvent } from '@eventstore/db-client';
import type { RecordedEvent, NewRecord } from '@laurel/kernel';
import { pause, type Clock } from '@laurel/ports';
import { NO_KEYS, type KeysByUser } from '../personal-fields.ts';
import { EventStoreAccessError, keyHashIn, subjectIn, type AppendOutcome } from '../event-store.ts';
import { asksForNewConnection, isRefusal, neverCarriedOut } from './append-errors.ts';
import type { EventStoreDbClient, Revision } from './event-store-db-client.ts';
import type { Slots } from './slots.ts';
import { hasOwnStream, type StreamNames } from './stream-names.ts';
import { openedRecord } from '../opened-records.ts';
import { proposedEvent, storedOf, type ProposedEvent } from './stored-event.ts';

export interface AppenderOptions {
  /** How long a record waits for a store that cannot be reached, counted from its arrival or the last progress of the store. */
  readonly waitLimitMs: number;
  /** How long one call may take before it is retried. */
  readonly callLimitMs: number;
}

const RETRY_DELAY_MS = 100;

/** After a call without an answer, the next calls look for a server that answers: they get this fraction of the limit. */
const IMPATIENCE = 3;

/** Abandoned account events whose possible place is remembered; beyond this number the oldest are forgotten. */
const DOUBTFUL_EVENTS = 10_000;

/** One record on its way into the log. */
interface Attempt {
  readonly record: NewRecord;
  readonly event: ProposedEvent;
  /** The limit of the next call. */
  limitMs: number;
  /** A call stayed without an answer. */
  unanswered: boolean;
  /** A call that may have recorded it was not answered. */
  doubtful: boolean;
}

export interface AppenderDependencies {
  readonly client: EventStoreDbClient;
  readonly names: StreamNames;
  readonly clock: Clock;
  readonly slots: Slots;
}

/** Appends single records. It retries each until its outcome is known or the limit has passed. */
export class EventStoreDbAppender {
  readonly #dependencies: AppenderDependencies;
  readonly #options: AppenderOptions;
  /** When the store last settled a record, by the clock's `elapsedMs`. */
  #progressMs = -Infinity;
  /** The newest number of an account's stream, as far as this process knows. */
  readonly #revisions = new Map<string, Revision>();
  /** By event id of an abandoned account event: the revision after which it stands, if it was recorded at all. */
  readonly #sentBehind = new Map<string, Revision>();

  constructor(dependencies: AppenderDependencies, options: AppenderOptions) {
    this.#dependencies = dependencies;
    this.#options = options;
  }

  /**
   * @param sinceMs when the record was taken in, by the clock's `elapsedMs`
   * @param keys those of `keysToSeal`
   */
  append(record: NewRecord, sinceMs: number, keys: KeysByUser): Promise<AppendOutcome> {
    return this.#dependencies.slots.run(async () => {
      const fromMs = Math.max(sinceMs, this.#progressMs);
      const event = proposedEvent(record, keys);
      const attempt = { record, event, limitMs: 0, unanswered: false, doubtful: false };
      const outcome = await this.#appendUntil(fromMs + this.#options.waitLimitMs, attempt);
      if (outcome.kind !== 'failed') this.#progressMs = this.#dependencies.clock.elapsedMs();
      return outcome;
    });
  }

  async #appendUntil(endMs: number, attempt: Attempt): Promise<AppendOutcome> {
    let error = new Error('the event store has not answered in time');
    for (;;) {
      const leftMs = endMs - this.#dependencies.clock.elapsedMs();
      if (leftMs <= 0) return failed(attempt, error);
      attempt.limitMs = Math.min(leftMs, this.#options.callLimitMs / (attempt.unanswered ? IMPATIENCE : 1));
      try {
        return await (hasOwnStream(attempt.record) ? this.#appendAlone(attempt) : this.#appendAccountEvent(attempt));
      } catch (failure) {
        error = failure as Error;
        if (isRefusal(failure)) return { kind: 'rejected', error };
        if (failure instanceof EventStoreAccessError) return failed(attempt, error);
        attempt.unanswered ||= asksForNewConnection(failure);
      }
      await pause(this.#dependencies.clock, RETRY_DELAY_MS);
    }
  }

  /** Appends to a stream of its own, which can be created only once. */
  async #appendAlone(attempt: Attempt): Promise<AppendOutcome> {
    const { record } = attempt;
    const stream = this.#dependencies.names.ofSingleEvent(record);
    const place = await this.#send(attempt, stream, null);
    if (place !== null) return recorded(record, place);
    const [original] = await this.#dependencies.client.readStream(stream, 0n, 1);
    if (!original) throw new Error(`the stream ${stream} exists, but cannot be read yet`);
    const position = await this.#dependencies.client.placeOfRead(original);
    return original.id === record.eventId
      ? recorded(record, position)
      : used(openedRecord(storedOf({ event: original, position }), NO_KEYS));
  }

  /** Appends after the newest event of the account: of two appends after the same event only one succeeds. */
  async #appendAccountEvent(attempt: Attempt): Promise<AppendOutcome> {
    const { record } = attempt;
    const { account, eventId } = record;
    const stream = this.#dependencies.names.ofAccount(account);
    for (;;) {
      const behind = await this.#placeFor(record, stream);
      this.#rememberSent(eventId, behind);
      const place = await this.#send(attempt, stream, behind);
      this.#sentBehind.delete(eventId);
      if (place !== null) {
        this.#learn(account, next(behind));
        return recorded(record, place);
      }
      const { own, last } = await this.#findBehind(stream, behind, eventId);
      if (own) return recorded(record, await this.#dependencies.client.placeOfRead(own));
      this.#revisions.delete(account);
      if (last === null) throw new Error(`the stream ${stream} has changed, but cannot be read yet`);
      this.#learn(account, last);
    }
  }

  /** Looks for an event after a revision; `last` is the newest revision that it has seen. */
  async #findBehind(stream: string, behind: Revision, id: string): Promise<{ own?: EsdbEvent; last: Revision }> {
    let last: Revision = null;
    for await (const page of this.#dependencies.client.streamPages(stream, next(behind))) {
      const own = page.find((event) => event.id === id);
      if (own) return { own, last };
      last = page.at(-1)?.revision ?? last;
    }
    return { last };
  }

  /** @returns the position; null if another event stands there, or the server does not tell it */
  async #send(attempt: Attempt, stream: string, behind: Revision): Promise<number | null> {
    try {
      const answer = await this.#dependencies.client.append(stream, behind, attempt.event, attempt.limitMs);
      // A refusal also settles earlier calls: if one of them had recorded the event, the server would recognize it.
      attempt.doubtful = answer.kind === 'appended' && answer.place === null;
      return answer.kind === 'appended' ? answer.place : null;
    } catch (error) {
      attempt.doubtful ||= !neverCarriedOut(error);
      throw error;
    }
  }

  async #placeFor({ account, eventId }: NewRecord, stream: string): Promise<Revision> {
    const sent = this.#sentBehind.get(eventId);
    if (sent !== undefined) return sent;
    const known = this.#revisions.get(account);
    return known !== undefined ? known : this.#dependencies.client.lastRevision(stream);
  }

  #learn(account: string, revision: Revision): void {
    if ((this.#revisions.get(account) ?? -1n) <= (revision ?? -1n)) this.#revisions.set(account, revision);
  }

  #rememberSent(eventId: string, behind: Revision): void {
    this.#sentBehind.set(eventId, behind);
    const [oldest] = this.#sentBehind.keys();
    if (oldest !== undefined && this.#sentBehind.size > DOUBTFUL_EVENTS) this.#sentBehind.delete(oldest);
  }
}

const next = (revision: Revision): bigint => (revision ?? -1n) + 1n;

const failed = ({ doubtful }: Attempt, error: Error): AppendOutcome => ({
  kind: 'failed',
  recorded: doubtful ? 'unknown' : 'nothing',
  error,
});

const recorded = (record: NewRecord, position: number): AppendOutcome => ({
  kind: 'recorded',
  record: { ...record, position },
});

function used(original: RecordedEvent): AppendOutcome {
  const keyHash = keyHashIn(original);
  const { account, fact } = original;
  if (keyHash === null)
    throw new Error(`the event ${original.eventId} has no idempotency key, but is stored as the one that used it`);
  const { eventId, position, occurredAt } = original;
  return { kind: 'used', original: { account, subject: subjectIn(fact), keyHash, eventId, position, occurredAt } };
}
