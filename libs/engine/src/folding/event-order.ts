import type { RecordedUserEvent } from '@laurel/kernel';
import { changedRecord, type EventChange, type EventChanges } from './event-changes.ts';

/** An event at its place among those of its user. */
export interface OrderedEvent {
  /** As it counts. */
  readonly record: RecordedUserEvent;
  readonly isMoved: boolean;
  /** The version under which it counts, that of the user's own event behind it; null: of the one before it if it was moved, else its own. */
  readonly under: number | null;
}

/** What moves, and where its move was recorded. */
interface Move {
  readonly record: RecordedUserEvent;
  readonly by: NonNullable<EventChange['movedBy']>;
}

/**
 * The order in which the events of a user apply: that of the log, but for events whose instant was amended. Each of these lies directly before
 * the first event whose instant is later, of those recorded before the correction that moves it, else behind them all. Sweeps and corrections
 * have such a place, too, because they settle the user. But they are none of the user's own events: under which version a moved event counts
 * does not depend on them, so those behind one are held back with it until an own event comes.
 */
export class EventOrder {
  readonly #changes: EventChanges;
  readonly #moved: ReadonlySet<number>;
  /** By instant; those of one instant as their moves were recorded. */
  #waiting: readonly Move[];
  /** At their place, behind an event whose version is not known yet. */
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

  /** What applies now that the log comes to this event. */
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

  /** What is held back, and what is moved behind all others. */
  last(): readonly OrderedEvent[] {
    this.#hold(() => true);
    return this.#release(this.#held.length, Infinity, null);
  }

  /** @param version of the own event at that position; null: there is none */
  #release(count: number, position: number, version: number | null): readonly OrderedEvent[] {
    return this.#held.splice(0, count).map((one) => ({
      record: one.record,
      isMoved: one.by !== null,
      under: isBehind(one, position) ? null : version,
    }));
  }

  /** null: it does not, or it was moved. What a correction settles it settles even if it is retracted. */
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

/** An event at its place; `by` null: it was not moved. */
interface Placed {
  readonly record: RecordedUserEvent;
  readonly by: Move['by'] | null;
}

const settles = ({ fact }: RecordedUserEvent): boolean =>
  fact.type === 'UserSwept' || fact.type === 'CorrectionRecorded';

/** Whether it was moved before what lies at that position was recorded: that is not asked for its place. */
const isBehind = ({ by }: Placed, position: number): boolean => by !== null && by.position <= position;

const NONE: readonly OrderedEvent[] = [];

const inOrder = (one: Move, other: Move): number =>
  one.record.occurredAt - other.record.occurredAt ||
  (one.by.position === other.by.position ? one.by.place - other.by.place : one.by.position - other.by.position);

/** Whether both make the same of a user. */
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
