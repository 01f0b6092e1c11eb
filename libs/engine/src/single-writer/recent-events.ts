import type { Effect, DomainEvent, RecordedEvent, Subject } from '@laurel/kernel';

/** The effects of an event for one user. */
export interface EmittedEffects {
  readonly position: number;
  readonly subject: Subject;
  /** Effects of all areas, in the order in which the areas apply an event. */
  readonly effects: readonly Effect[];
}

/** A committed batch. */
export interface CommittedEvents {
  /** Log position before the batch. */
  readonly after: number;
  readonly records: readonly RecordedEvent[];
  readonly effects: readonly EmittedEffects[];
}

interface RecentEvent {
  readonly record: RecordedEvent;
  readonly emitted: EmittedEffects[];
  bytes: number;
}

/**
 * The newest events and their effects, in memory until the one reader that follows the log has read them. This saves
 * reading them back from the store. The memory is bounded: a reader that is too far behind reads the store.
 */
export class RecentEvents {
  readonly #maxBytes: number;
  /** Consecutive events in the order of the log. */
  #events: RecentEvent[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Approximate size in memory. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Adds a committed batch. Empties the memory if the batch changes earlier effects or erases a user, or if it is a
   * batch of users whose effects are not needed.
   */
  add({ after, records, effects }: CommittedEvents): void {
    if (records.some(({ fact }) => changesThePast(fact))) return this.clear();
    if (effects.length === 0 && (this.#events.length === 0 || records.some(isOfUsers))) return this.clear();
    if (this.#end !== after) this.clear();
    for (const record of records) this.#push({ record, emitted: [], bytes: bytesOf(record.fact) + BESIDE_EVENT });
    for (const emitted of effects) {
      const event = this.#at(emitted.position);
      event?.emitted.push(emitted);
      this.#grow(event, bytesOf(emitted.effects));
    }
    this.#dropOldest();
  }

  /**
   * Drops the events up to `after`. @returns the next events up to `upTo`, or null if some of them are not in memory
   */
  takeBehind(after: number, upTo: number): readonly RecordedEvent[] | null {
    this.#drop(after - this.#start);
    if (upTo <= after || after !== this.#start || upTo > this.#end) return null;
    return this.#events.slice(0, upTo - after).map(({ record }) => record);
  }

  /** The effects of an event for a user, or undefined if they are not in memory. */
  effectsOf(position: number, subject: Subject): readonly Effect[] | undefined {
    return this.#at(position)?.emitted.find((one) => one.subject === subject)?.effects;
  }

  clear(): void {
    this.#events = [];
    this.#bytes = 0;
  }

  /** The position before the oldest event. */
  get #start(): number {
    return (this.#events[0]?.record.position ?? 1) - 1;
  }

  /** The position of the newest event. */
  get #end(): number {
    return this.#events.at(-1)?.record.position ?? 0;
  }

  #at(position: number): RecentEvent | undefined {
    return this.#events[position - this.#start - 1];
  }

  #push(event: RecentEvent): void {
    this.#events.push(event);
    this.#bytes += event.bytes;
  }

  #grow(event: RecentEvent | undefined, bytes: number): void {
    if (event === undefined) return;
    event.bytes += bytes;
    this.#bytes += bytes;
  }

  #dropOldest(): void {
    let count = 0;
    for (let bytes = this.#bytes; bytes > this.#maxBytes; count++) bytes -= this.#events[count]?.bytes ?? bytes;
    this.#drop(count);
  }

  #drop(count: number): void {
    if (count <= 0) return;
    for (const { bytes } of this.#events.splice(0, count)) this.#bytes -= bytes;
  }
}

const isOfUsers = ({ fact }: RecordedEvent): boolean => 'subject' in fact || 'subjects' in fact;

const changesThePast = ({ type }: DomainEvent): boolean => type === 'CorrectionRecorded' || type === 'UserErased';

/** Size of a record's own fields and of its entry here. */
const BESIDE_EVENT = 400;

/** Rough size of a value in memory. Runs for every event, so it does not build a list of fields. */
function bytesOf(value: unknown): number {
  if (typeof value === 'string') return 16 + value.length * 2;
  if (typeof value !== 'object' || value === null) return 8;
  let bytes = 32;
  if (value instanceof Map) for (const [key, held] of value) bytes += 16 + bytesOf(key) + bytesOf(held);
  else for (const name in value) bytes += 8 + bytesOf((value as Readonly<Record<string, unknown>>)[name]);
  return bytes;
}
