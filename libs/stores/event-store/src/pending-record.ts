import type { KeyHash, NewRecord } from '@laurel/kernel';
import { keyHashIn, type AppendOutcome, type UsedKey } from './event-store.ts';

/** A record on its way into the log. */
export class PendingRecord {
  readonly record: NewRecord;
  readonly keyHash: KeyHash | null;
  /** The time of arrival, by the clock's `elapsedMs`. */
  readonly sinceMs: number;
  /**
   * Set while a statement that may have recorded it is unanswered: if it was recorded, it is after this position of the log.
   */
  sentAfter: number | null = null;
  readonly #settle: (outcome: AppendOutcome) => void;
  #settled = false;

  constructor(record: NewRecord, sinceMs: number, settle: (outcome: AppendOutcome) => void) {
    this.record = record;
    this.keyHash = keyHashIn(record);
    this.sinceMs = sinceMs;
    this.#settle = settle;
  }

  get eventId(): string {
    return this.record.eventId;
  }

  get settled(): boolean {
    return this.#settled;
  }

  recordedAt(position: number): void {
    this.settle({ kind: 'recorded', record: { ...this.record, position } });
  }

  /** The key was used by `original`, which may be this record itself. */
  usedBy(original: UsedKey): void {
    if (original.eventId === this.eventId) this.recordedAt(original.position);
    else this.settle({ kind: 'used', original });
  }

  failed(error: Error): void {
    this.settle({ kind: 'failed', recorded: this.sentAfter === null ? 'nothing' : 'unknown', error });
  }

  /** Only the first outcome counts. */
  settle(outcome: AppendOutcome): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#settle(outcome);
  }
}

export const isOpen = (pending: PendingRecord): boolean => !pending.settled;

/** Records with the same identity exclude each other: only one of them can be recorded. */
export const identityOf = ({ keyHash, eventId }: PendingRecord): string =>
  keyHash === null ? eventId : `key:${keyHash}`;
