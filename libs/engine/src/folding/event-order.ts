import type { LogRecord, UserRecord } from '@laurel/contracts';
import { changedRecord, type EventChange, type EventChanges } from './event-changes.ts';

/** An event at its place among those of its user. */
export interface OrderedEvent {
  /** As it counts. */
  readonly record: UserRecord;
  /** It was moved here, and counts under the version of the events around it; see {@link EventOrder}. */
  readonly isMoved: boolean;
}

/** What moves, and where its move was recorded. */
interface Move {
  readonly record: UserRecord;
  readonly by: NonNullable<EventChange['movedBy']>;
}

/**
 * The order in which the events of a user apply: that of the log, but for events whose instant was amended. Each of these lies directly before
 * the first event whose instant is later, of those recorded before the correction that moves it, else behind them all. Sweeps and corrections
 * have such a place, too, because they settle the user.
 */
export class EventOrder {
  readonly #changes: EventChanges;
  readonly #moved: ReadonlySet<number>;
  /** By instant; those of one instant as their moves were recorded. */
  #waiting: readonly Move[];

  private constructor(changes: EventChanges, moved: ReadonlySet<number>, waiting: readonly Move[]) {
    this.#changes = changes;
    this.#moved = moved;
    this.#waiting = waiting;
  }

  /** @param amended the recorded events whose instants the changes name, in the order of the log */
  static of(changes: EventChanges, amended: readonly UserRecord[]): EventOrder {
    const moves = amended.flatMap((recorded): Move[] => {
      const by = changes.get(recorded.position)?.movedBy;
      const record = changedRecord(recorded, changes);
      if (by === undefined || record === null || record.occurredAt === recorded.occurredAt) return [];
      return [{ record, by }];
    });
    return new EventOrder(changes, new Set(moves.map(({ record }) => record.position)), moves.toSorted(inOrder));
  }

  get size(): number {
    return this.#waiting.length;
  }

  clone(): EventOrder {
    return new EventOrder(this.#changes, this.#moved, this.#waiting);
  }

  /** What applies now that the log comes to this event: what is moved before it, and the event itself. */
  next(recorded: UserRecord): readonly OrderedEvent[] {
    const { position } = recorded;
    const record = this.#moved.has(position) ? null : changedRecord(recorded, this.#changes);
    if (record === null) return NONE;
    return [...this.before(record), { record, isMoved: false }];
  }

  /** What is moved before an event that applies, or a correction. */
  before({ position, occurredAt }: Pick<LogRecord, 'position' | 'occurredAt'>): readonly OrderedEvent[] {
    if (this.#waiting.length === 0) return NONE;
    return this.#take(({ record, by }) => record.occurredAt < occurredAt || by.position <= position);
  }

  /** What is moved behind all others. */
  last(): readonly OrderedEvent[] {
    return this.#take(() => true);
  }

  #take(isDue: (move: Move) => boolean): readonly OrderedEvent[] {
    const due = this.#waiting.filter(isDue);
    if (due.length > 0) this.#waiting = this.#waiting.filter((move) => !isDue(move));
    return due.map(({ record }) => ({ record, isMoved: true }));
  }
}

const NONE: readonly OrderedEvent[] = [];

const inOrder = (one: Move, other: Move): number =>
  one.record.occurredAt - other.record.occurredAt ||
  (one.by.position === other.by.position ? one.by.place - other.by.place : one.by.position - other.by.position);

/** Whether both make the same of a user. */
export const isSameOrder = (some: readonly OrderedEvent[], others: readonly OrderedEvent[]): boolean =>
  some.length === others.length && some.every((one, place) => isSameEvent(one, others[place] as OrderedEvent));

function isSameEvent(
  { record: one, isMoved }: OrderedEvent,
  { record: other, isMoved: isOtherMoved }: OrderedEvent,
): boolean {
  if (one === other) return true;
  if (one.position !== other.position || one.occurredAt !== other.occurredAt || isMoved !== isOtherMoved) return false;
  const [some, others] = [one.fact, other.fact];
  if (some.type !== 'MetricEventRecorded' || others.type !== 'MetricEventRecorded') return true;
  return some.value === others.value && some.user.tz === others.user.tz;
}
