import {
  effectsOfType,
  type ConditionChecked,
  type ConfigurationHistory,
  type TriggerFired,
  type RecordedUserEvent,
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
import { SilentListener } from './silent-listener.ts';

/** Number of events between two snapshots. A page applies up to two segments again, so this limits its reads. */
const EVENTS_OF_SEGMENT = 25;
/** Most events of a user who is folded in the background. */
const MOST_EVENTS = 250_000;
const MOST_EFFECTS = 2_000_000;
/**
 * Limit of events that the corrections of one user apply again: each correction applies all earlier events once more.
 */
const MOST_EVENTS_AGAIN = 1_000_000;
/** An event with more effects would take too long to apply again for each page. */
const MOST_EFFECTS_OF_EVENT = 5_000;
/** Approximate size in memory of an effect, or of an event that a correction names. */
const BYTES_OF_EFFECT = 200;

/** The states of a user after an event, as stored text. */
export interface Snapshot {
  readonly position: number;
  readonly text: string;
}

/** Consecutive events of a user, and the states before the first. */
export interface Segment {
  /** null if nothing lies before the first event. */
  readonly snapshot: Snapshot | null;
  /** The first position. */
  readonly first: number;
  readonly positions: readonly number[];
  /** Systems in which a trigger fired, even if its award was cut to nothing, or in which a correction changed points. */
  readonly fired: ReadonlySet<string>;
  /**
   * The effects of a correction. A correction has a segment to itself because it follows from all earlier events, not from the states before
   * it. null if the segment consists of events, which can be applied again.
   */
  readonly correction: CorrectionApplied | null;
}

export type CorrectionApplied = Pick<FoldedEvent, 'record' | 'occasion' | 'effects'>;

interface OpenSegment extends Segment {
  readonly positions: number[];
  readonly fired: Set<string>;
  correction: CorrectionApplied | null;
}

export function foldStartOf(snapshot: Snapshot | null, user: UserRef): FoldStart | null {
  if (snapshot === null) return null;
  const { position, text } = snapshot;
  return { position, document: decodeDocument(USER_AREAS, JSON.parse(text) as StoredDocument, user) };
}

/** A user has too many events or effects to be folded for explanations. */
export class TooManyEventsError extends Error {
  override readonly name = 'TooManyEventsError';
}

/**
 * A user who was folded once, with a snapshot of the states at every 25th event. Any page of the past is explained by applying a few
 * events again, and the streak without applying any. The log only grows, so the folded part stays true; {@link extend} applies what was
 * recorded since.
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

  /** @param mostAgain limit of events that corrections may apply again */
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

  /** Approximate size in memory. */
  get bytes(): number {
    return this.#bytes + 16 * this.#count + 300 * this.#heard.streak.kept.size;
  }

  get streak(): StreakFollower {
    return this.#heard.streak;
  }

  /** A copy of the fold, which continues after the last event. */
  furtherFold(): UserFold {
    return new UserFold(USER_AREAS, this.#history, { document: this.document, position: this.#fold.position });
  }

  /**
   * Applies the events recorded since.
   * @param most if there are more events, or a correction is among them, none is applied
   * @returns whether everything is applied
   * @throws TooManyEventsError, or the error of the read; the object must not be used afterwards
   */
  async extendBy(most: number): Promise<boolean> {
    const page = await this.#events.read(this.#user, this.#fold.position, most + 1);
    if (page.length > most || page.some(isCorrection)) return false;
    for (const record of page) this.#apply(record);
    return true;
  }

  /** Applies everything recorded since. Yields to other work of the process in between. */
  extend(): Promise<void> {
    return eachEvent(this.#events, this.#user, { after: this.#fold.position }, (record) =>
      isCorrection(record) ? this.#correct(record) : this.#apply(record),
    );
  }

  /** @returns the number of effects of the event */
  #apply(record: RecordedUserEvent): number {
    const last = this.#segments.at(-1);
    const hasRoom = last?.correction === null && last.positions.length < EVENTS_OF_SEGMENT;
    const segment = hasRoom ? last : this.#openSegment(record.position);
    const folded = this.#fold.apply(record, this.#heard);
    segment.positions.push(record.position);
    for (const system of this.#heard.take(folded)) segment.fired.add(system);
    return this.#counted(folded);
  }

  async #correct(record: RecordedUserEvent): Promise<number> {
    this.#again += this.#count;
    if (this.#again > this.#mostAgain) throw this.#tooMany();
    const segment = this.#openSegment(record.position);
    const followed = { fold: this.#fold, events: this.#events, user: this.#user };
    const secondListener = () => this.#heard.streak.secondListener();
    const folded = await foldEvent(followed, record, { reasons: null, secondListener });
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

  #openSegment(position: number): OpenSegment {
    const text = this.#segments.length === 0 ? null : encodeDocument(USER_AREAS, this.document);
    const snapshot = text === null ? null : { position: this.#fold.position, text };
    const segment = { snapshot, first: position, positions: [], fired: new Set<string>(), correction: null };
    this.#segments.push(segment);
    this.#bytes += 300 + (text?.length ?? 0);
    return segment;
  }
}

const isCorrection = ({ fact }: RecordedUserEvent): boolean => fact.type === 'CorrectionRecorded';

/** Collects what explains the streak, and the systems in which a trigger fires. */
class Heard extends SilentListener {
  readonly streak = new StreakFollower();
  readonly #fired = new Set<string>();

  take(folded: FoldedEvent): readonly string[] {
    this.streak.take(folded);
    const fired = [...this.#fired];
    this.#fired.clear();
    return fired;
  }

  override triggerFired({ system }: TriggerFired): void {
    this.#fired.add(system);
  }
  override conditionChecked(checked: ConditionChecked): void {
    this.streak.conditionChecked(checked);
  }
}
