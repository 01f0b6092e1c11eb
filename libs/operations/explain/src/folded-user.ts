import {
  effectsOfType,
  type ConditionChecked,
  type ConfigurationHistory,
  type Reasons,
  type TriggerFired,
  type UserRecord,
  type UserRef,
} from '@laurel/kernel';
import {
  decodeDocument,
  eachEvent,
  encodeDocument,
  foldEvent,
  UserFold,
  type Document,
  type FoldedEvent,
  type FoldedEvents,
  type FoldStart,
  type StoredDocument,
} from '@laurel/engine';
import { USER_AREAS } from '@laurel/all-areas';
import { StreakFollower } from './explain-streak.ts';

/** Events between two snapshots. A page applies two segments, so this bounds what it reads. */
const EVENTS_OF_SEGMENT = 25;
/** Of a user who is folded in the background. */
export const MOST_EVENTS = 250_000;
const MOST_EFFECTS = 2_000_000;
/** Each correction asks for all events before it once more: so many for one user. */
const MOST_EVENTS_AGAIN = 1_000_000;
/** One that caused more would take too long to be applied again for each page. */
const MOST_EFFECTS_OF_EVENT = 5_000;
/** In memory, about: also of an event that a correction names. */
const BYTES_OF_EFFECT = 200;

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
  /** Systems in which a trigger fired, also one whose award was cut to nothing, or a correction gave or took something. */
  readonly fired: ReadonlySet<string>;
  /**
   * What a correction made of the user; it has a segment to itself, as it follows from all events before it and not from the states before
   * it. null: events, which can be applied again.
   */
  readonly correction: CorrectionApplied | null;
}

export type CorrectionApplied = Pick<FoldedEvent, 'record' | 'occasion' | 'effects'>;

interface OpenSegment extends Segment {
  readonly positions: number[];
  readonly fired: Set<string>;
  correction: CorrectionApplied | null;
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
  readonly #events: FoldedEvents;
  readonly #history: Pick<ConfigurationHistory, 'at'>;
  readonly #segments: OpenSegment[] = [];
  readonly #mostAgain: number;
  readonly #heard = new Heard();
  #fold: UserFold;
  #count = 0;
  #effects = 0;
  #again = 0;
  #bytes = 0;

  /** @param mostAgain events that corrections may have applied once more */
  constructor(
    user: UserRef,
    events: FoldedEvents,
    history: Pick<ConfigurationHistory, 'at'>,
    mostAgain: number = MOST_EVENTS_AGAIN,
  ) {
    this.#mostAgain = mostAgain;
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
   * @param most events at most; if there are more, or a correction is among them, none is applied
   * @returns whether nothing is left
   * @throws TooManyEventsError; what the read throws. It is of no use then.
   */
  async extendBy(most: number): Promise<boolean> {
    const page = await this.#events.read(this.#user, this.#fold.position, most + 1);
    if (page.length > most || page.some(isCorrection)) return false;
    for (const record of page) this.#apply(record);
    return true;
  }

  /** Likewise, however many there are. Other work of the process gets its turn in between. */
  extend(): Promise<void> {
    return eachEvent(this.#events, this.#user, { after: this.#fold.position }, (record) =>
      isCorrection(record) ? this.#correct(record) : this.#apply(record),
    );
  }

  /** @returns how many effects the event had */
  #apply(record: UserRecord): number {
    const last = this.#segments.at(-1);
    const hasRoom = last?.correction === null && last.positions.length < EVENTS_OF_SEGMENT;
    const segment = hasRoom ? last : this.#openSegment(record.position);
    const folded = this.#fold.apply(record, this.#heard);
    segment.positions.push(record.position);
    for (const system of this.#heard.take(folded)) segment.fired.add(system);
    return this.#counted(folded);
  }

  async #correct(record: UserRecord): Promise<number> {
    this.#again += this.#count;
    if (this.#again > this.#mostAgain) throw this.#tooMany();
    const segment = this.#openSegment(record.position);
    const folded = await foldEvent(this.#fold, this.#events, this.#user, record, null, () =>
      this.#heard.streak.retell(),
    );
    const { occasion, effects } = folded;
    segment.positions.push(record.position);
    segment.correction = { record, occasion, effects };
    for (const system of this.#heard.take(folded)) segment.fired.add(system);
    for (const { system } of effectsOfType(effects, 'PointsAwarded')) segment.fired.add(system);
    const named = record.fact.type === 'CorrectionRecorded' ? record.fact.corrections.length : 0;
    this.#bytes += BYTES_OF_EFFECT * (effects.length + named);
    return this.#counted(folded);
  }

  #counted({ effects: { length } }: FoldedEvent): number {
    this.#count += 1;
    this.#effects += length;
    if (length > MOST_EFFECTS_OF_EVENT || this.#effects > MOST_EFFECTS || this.#count > MOST_EVENTS)
      throw this.#tooMany();
    return length;
  }

  #tooMany(): TooManyEventsError {
    return new TooManyEventsError(`subject ${this.#user.subject} has too many events or effects to be folded`);
  }

  /** With the states before the event, if there are any. */
  #openSegment(position: number): OpenSegment {
    const text = this.#segments.length === 0 ? null : encodeDocument(USER_AREAS, this.document);
    const snapshot = text === null ? null : { position: this.#fold.position, text };
    const segment = { snapshot, first: position, positions: [], fired: new Set<string>(), correction: null };
    this.#segments.push(segment);
    this.#bytes += 300 + (text?.length ?? 0);
    return segment;
  }
}

const isCorrection = ({ fact }: UserRecord): boolean => fact.type === 'CorrectionRecorded';

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
