import type { RecordedUserEvent } from '@laurel/kernel';
import { changedRecord, type EventChange, type EventChanges } from './event-changes.ts';

/** An event in the order in which a user's events apply. */
export interface OrderedEvent {
  /** The event with its corrections applied. */
  readonly record: RecordedUserEvent;
  readonly isMoved: boolean;
  /**
   * The version to apply the event under: that of the user's next own event. null means the version of the previous own
   * event for a moved event, otherwise the event's own.
   */
  readonly under: number | null;
}

/** A moved event, and the place of the correction that moves it. */
interface Move {
  readonly record: RecordedUserEvent;
  readonly by: NonNullable<EventChange['movedBy']>;
}

/**
 * The order in which a user's events apply: the order of the log, except for events with an amended instant. Of the
 * events recorded before the correction that moves it, such an event is placed directly before the first one with a
 * later instant; if there is none, after all of them.
 *
 * Events also move relative to sweeps and corrections, because these settle the user. But the version of a moved event
 * must not depend on a sweep or correction. So a sweep or correction after a moved event is held back with it until the
 * user's next own event.
 */
export class EventOrder {
  readonly #changes: EventChanges;
  readonly #moved: ReadonlySet<number>;
  /** Sorted by instant, then by the order in which the moves were recorded. */
  #waiting: readonly Move[];
  /** Events in their final order that wait for an event from which their version follows. */
  readonly #held: Placed[];

  private constructor(
    changes: EventChanges,
    moved: ReadonlySet<number>,
    waiting: readonly Move[],
    held: readonly Placed[] = [],
  ) {
    this.#changes = changes;
    this.#moved = moved;
    this.#waiting = waiting;
    this.#held = [...held];
  }

  /** @param amended the recorded events whose instants the changes name, in the order of the log */
  static of(changes: EventChanges, amended: readonly RecordedUserEvent[]): EventOrder {
    const moves = amended.flatMap((recorded): Move[] => {
      const by = changes.get(recorded.position)?.movedBy;
      const record = changedRecord(recorded, changes);
      if (by === undefined || record === null || record.occurredAt === recorded.occurredAt) return [];
      return [{ record, by }];
    });
    return new EventOrder(changes, new Set(moves.map(({ record }) => record.position)), moves.toSorted(inOrder));
  }

  get size(): number {
    return this.#waiting.length + this.#held.length;
  }

  clone(): EventOrder {
    return new EventOrder(this.#changes, this.#moved, this.#waiting, this.#held);
  }

  /** The events to apply when the log reaches this event. */
  next(recorded: RecordedUserEvent): readonly OrderedEvent[] {
    const record = this.#asItCounts(recorded);
    if (record === null) return NONE;
    const { position, occurredAt, configurationVersion } = record;
    const own: OrderedEvent = { record, isMoved: false, under: null };
    this.#hold((move) => move.record.occurredAt < occurredAt || isBehind(move, position));
    if (this.#held.length === 0) return [own];
    if (!settles(record)) return [...this.#release(this.#held.length, position, configurationVersion), own];
    this.#held.push({ record, by: null });
    const open = this.#held.findIndex(({ by }) => by !== null && by.position > position);
    return this.#release(open < 0 ? this.#held.length : open, position, null);
  }

  /** All events that are still held back, and those that move to the end. */
  last(): readonly OrderedEvent[] {
    this.#hold(() => true);
    return this.#release(this.#held.length, Infinity, null);
  }

  /** @param version that of the own event at `position`, or null if there is none */
  #release(count: number, position: number, version: number | null): readonly OrderedEvent[] {
    return this.#held.splice(0, count).map((one) => ({
      record: one.record,
      isMoved: one.by !== null,
      under: isBehind(one, position) ? null : version,
    }));
  }

  /**
   * The event with its corrections applied, or null if it is retracted or applies at another place. Sweeps and
   * corrections settle the user even if they are retracted.
   */
  #asItCounts(recorded: RecordedUserEvent): RecordedUserEvent | null {
    if (settles(recorded)) return recorded;
    return this.#moved.has(recorded.position) ? null : changedRecord(recorded, this.#changes);
  }

  #hold(isDue: (move: Move) => boolean): void {
    const due = this.#waiting.filter(isDue);
    if (due.length === 0) return;
    this.#held.push(...due);
    this.#waiting = this.#waiting.filter((move) => !isDue(move));
  }
}

/** An event at its place; `by` is null if it was not moved. */
interface Placed {
  readonly record: RecordedUserEvent;
  readonly by: Move['by'] | null;
}

const settles = ({ fact }: RecordedUserEvent): boolean =>
  fact.type === 'UserSwept' || fact.type === 'CorrectionRecorded';

/**
 * Whether the event was moved before the event at `position` was recorded. If so, that event says nothing about its
 * version.
 */
const isBehind = ({ by }: Placed, position: number): boolean => by !== null && by.position <= position;

const NONE: readonly OrderedEvent[] = [];

const inOrder = (one: Move, other: Move): number =>
  one.record.occurredAt - other.record.occurredAt ||
  (one.by.position === other.by.position ? one.by.place - other.by.place : one.by.position - other.by.position);

/** Whether both orders have the same effect on a user. */
export const isSameOrder = (some: readonly OrderedEvent[], others: readonly OrderedEvent[]): boolean =>
  some.length === others.length && some.every((one, place) => isSameEvent(one, others[place] as OrderedEvent));

function isSameEvent(one: OrderedEvent, other: OrderedEvent): boolean {
  if (one.isMoved !== other.isMoved || one.under !== other.under) return false;
  if (one.record === other.record) return true;
  if (one.record.position !== other.record.position || one.record.occurredAt !== other.record.occurredAt) return false;
  const [some, others] = [one.record.fact, other.record.fact];
  if (some.type !== 'MetricEventRecorded' || others.type !== 'MetricEventRecorded') return true;
  return some.value === others.value && some.user.tz === others.user.tz;
}
