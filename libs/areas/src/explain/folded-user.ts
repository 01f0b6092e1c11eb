import {
  type ConditionChecked,
  type ConfigurationHistory,
  type Reasons,
  type TriggerFired,
  type UserRef,
} from '@laurel/contracts';
import {
  decodeDocument,
  eachEvent,
  encodeDocument,
  UserFold,
  type Document,
  type FoldedEvent,
  type FoldStart,
  type StoredDocument,
  type UserEvents,
} from '@laurel/engine';
import { USER_AREAS } from '../user-areas.ts';
import { StreakFollower } from './explain-streak.ts';

/** Events between two snapshots. A page applies two segments, so this bounds what it reads. */
const EVENTS_OF_SEGMENT = 25;
/** Of a user who is folded in the background. */
export const MOST_EVENTS = 250_000;
const MOST_EFFECTS = 2_000_000;
/** One that caused more would take too long to be applied again for each page. */
const MOST_EFFECTS_OF_EVENT = 5_000;

/** The states of a user as of an event, as they are stored; null: there is none before. */
export interface Snapshot {
  readonly position: number;
  readonly text: string;
}

/** Some events of a user, one behind another, and the states before the first. */
export interface Segment {
  readonly snapshot: Snapshot | null;
  /** The first position. */
  readonly first: number;
  readonly positions: readonly number[];
  /** Systems in which a trigger fired, also one whose award was cut to nothing. */
  readonly fired: ReadonlySet<string>;
}

interface OpenSegment extends Segment {
  readonly positions: number[];
  readonly fired: Set<string>;
}

/** @throws DamagedStateError never, as long as the process that made the snapshot reads it */
export function foldStartOf(snapshot: Snapshot | null, user: UserRef): FoldStart | null {
  if (snapshot === null) return null;
  const { position, text } = snapshot;
  return { position, document: decodeDocument(USER_AREAS, JSON.parse(text) as StoredDocument, user) };
}

/** A user who cannot be folded for explanations: of too many events or effects. */
export class TooManyEventsError extends Error {
  override readonly name = 'TooManyEventsError';
}

/**
 * A user who was folded once, with a snapshot of the states at every 25th event: so any page of the past is explained by applying a few
 * events again, and the streak without applying any. The log only grows, so what was folded stays true; what is recorded since is
 * applied by {@link extend}.
 */
export class FoldedUser {
  readonly #user: UserRef;
  readonly #events: UserEvents;
  readonly #history: Pick<ConfigurationHistory, 'at'>;
  readonly #segments: OpenSegment[] = [];
  readonly #heard = new Heard();
  #fold: UserFold;
  #count = 0;
  #effects = 0;
  #bytes = 0;

  constructor(user: UserRef, events: UserEvents, history: Pick<ConfigurationHistory, 'at'>) {
    this.#user = user;
    this.#events = events;
    this.#history = history;
    this.#fold = new UserFold(USER_AREAS, history);
  }

  /** In the order of the log. */
  get segments(): readonly Segment[] {
    return this.#segments;
  }

  /** The states as of the last event applied. */
  get document(): Document {
    return this.#fold.document;
  }

  /** What it takes in memory, about. */
  get bytes(): number {
    return this.#bytes + 16 * this.#count + 300 * this.#heard.streak.kept.size;
  }

  get streak(): StreakFollower {
    return this.#heard.streak;
  }

  /** A fold that goes on behind the last event, and leaves this one as it is. */
  furtherFold(): UserFold {
    return new UserFold(USER_AREAS, this.#history, { document: this.document, position: this.#fold.position });
  }

  /**
   * Applies what has been recorded since.
   * @param most events at most, if there are more none is applied
   * @returns whether nothing is left
   * @throws TooManyEventsError; what the read throws. It is of no use then.
   */
  async extendBy(most: number): Promise<boolean> {
    const page = await this.#events.read(this.#user, this.#fold.position, most + 1);
    if (page.length > most) return false;
    for (const record of page) this.#apply(record);
    return true;
  }

  /** Likewise, however many there are. Other work of the process gets its turn in between. */
  extend(): Promise<void> {
    return eachEvent(this.#events, this.#user, { after: this.#fold.position }, (record) => this.#apply(record));
  }

  /** @returns how many effects the event had */
  #apply(record: Parameters<UserFold['apply']>[0]): number {
    const segment = this.#segmentFor(record.position);
    const folded = this.#applied(record);
    segment.positions.push(record.position);
    for (const system of this.#heard.take(folded)) segment.fired.add(system);
    const { length } = folded.effects;
    this.#count += 1;
    this.#effects += length;
    if (length > MOST_EFFECTS_OF_EVENT || this.#effects > MOST_EFFECTS || this.#count > MOST_EVENTS)
      throw new TooManyEventsError(`subject ${this.#user.subject} has too many events or effects to be folded`);
    return length;
  }

  #applied(record: Parameters<UserFold['apply']>[0]): FoldedEvent {
    // The states after a correction follow from all events before it, not from the states before it.
    if (record.fact.type === 'CorrectionRecorded')
      throw new TooManyEventsError('a corrected user is not folded by parts');
    return this.#fold.apply(record, this.#heard);
  }

  #segmentFor(position: number): OpenSegment {
    const last = this.#segments.at(-1);
    if (last !== undefined && last.positions.length < EVENTS_OF_SEGMENT) return last;
    const snapshot =
      last === undefined ? null : { position: this.#fold.position, text: encodeDocument(USER_AREAS, this.document) };
    const segment = { snapshot, first: position, positions: [], fired: new Set<string>() };
    this.#segments.push(segment);
    this.#bytes += 300 + (snapshot?.text.length ?? 0);
    return segment;
  }
}

/** Hears what explains the streak, and in which systems something fires. */
class Heard implements Reasons {
  readonly streak = new StreakFollower();
  readonly #fired = new Set<string>();

  take(folded: FoldedEvent): readonly string[] {
    this.streak.take(folded);
    const fired = [...this.#fired];
    this.#fired.clear();
    return fired;
  }

  triggerFired({ system }: TriggerFired): void {
    this.#fired.add(system);
  }
  conditionChecked(checked: ConditionChecked): void {
    this.streak.conditionChecked(checked);
  }
  triggerMissed(): void {}
  triggerPassedOver(): void {}
  achievementMissed(): void {}
}
