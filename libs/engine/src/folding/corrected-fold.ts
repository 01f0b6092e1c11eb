import type { Instant } from '@laurel/calendar';
import {
  Fold,
  EffectList,
  MOST_OWED_AWARDS,
  type Configuration,
  type CorrectedRows,
  type CorrectionRecorded,
  type Effect,
  type KeyHash,
  type RecordedEvent,
  type Occasion,
  type RunValues,
  type RecordedUserEvent,
  occasionOf,
  type UserOnOccasion,
} from '@laurel/kernel';
import type { Document } from './document.ts';
import { changesOf, type CorrectionRecord, type EventChanges } from './event-changes.ts';
import { EventOrder, isSameOrder, type OrderedEvent } from './event-order.ts';
import { Branch, type FoldListener, type FoldDependencies } from './branch.ts';

/** What a correction makes of its user. */
export interface CorrectedUser {
  readonly occasion: Occasion;
  readonly configuration: Configuration;
  /** The user's states after it. */
  readonly document: Document;
  /** Its own, in the order of the areas. */
  readonly effects: readonly Effect[];
  /** In the order of the areas. */
  readonly rows: readonly CorrectedRows[];
  /** The user's values in the runs of all boards, without and with it. */
  readonly before: RunValues;
  readonly after: RunValues;
  /** Without any correction, as earlier ones have left final runs that this one changes; null: none has. */
  readonly uncorrected: RunValues | null;
}

/** Time awards that a correction would owe its user at once, by the event that creates the user with it. */
export interface OwedAwards {
  readonly owed: number;
  readonly eventId: string;
}

/** What a user may be owed: by the configuration in force, at the instant of the correction. */
export interface OwingBound {
  readonly configuration: Configuration;
  readonly at: Instant;
}

/** A correction that cannot be carried out. Nothing has changed. */
export class CorrectionRefusedError extends Error {
  override readonly name = 'CorrectionRefusedError';
  readonly reason: 'unknown_user' | 'erased' | 'unknown_event' | 'unknown_metric' | 'too_many_awards' | 'too_many_runs';
  /** Of `too_many_awards` and `unknown_metric`. */
  readonly of?: { readonly eventId: string; readonly owed?: number };

  constructor(reason: CorrectionRefusedError['reason'], message: string, of?: CorrectionRefusedError['of']) {
    super(message);
    this.reason = reason;
    if (of !== undefined) this.of = of;
  }
}

/** The input of both folds beside the correction itself. */
interface EventsToCorrect {
  /** All corrections of the user before this one, in the order of the log. */
  readonly earlier: readonly CorrectionRecord[];
  /** The user's events whose instants this correction or an earlier one names; see `UserEvents.amendedBy`. */
  readonly amended: readonly RecordedUserEvent[];
  /** null for a recorded correction, which is applied whatever it owes. */
  readonly bound?: OwingBound | null;
  /** Hears the fold with the correction, from the first event on. */
  readonly listener?: FoldListener | null;
}

/**
 * Two folds of one user's events side by side (ADR 0033): with the corrections so far, and with one more. They part where this one first
 * makes something else of the user; up to there they are one. A third without any correction goes with them where earlier ones have left
 * final runs that this one changes. The events are applied in the order that {@link EventOrder} gives, each under the version that it
 * carries; one that was moved under that of the user's own events around it. Nothing is written, and only events whose instants were amended are
 * held, with the sweeps and corrections up to the next own event: else memory grows with days, runs and periods.
 */
export class BeforeAfterFolds {
  readonly #dependencies: FoldDependencies;
  readonly #correction: CorrectionRecorded;
  readonly #without: EventChanges;
  readonly #with: EventChanges;
  readonly #orderBefore: EventOrder;
  readonly #orderAfter: EventOrder;
  readonly #open: Set<number>;
  readonly #keys: Map<KeyHash, boolean>;
  readonly #bound: OwingBound | null;
  readonly #listener: FoldListener | null;
  #before: Branch;
  #after: Branch | null;
  readonly #uncorrected: Branch | null;
  #position: number;
  #erased: boolean;
  #hasConflict: boolean;
  readonly #corrected: number;
  /** Too much; null: it is not known to be. The fold with the correction goes no further. */
  #owing: OwedAwards | null;

  private constructor(dependencies: FoldDependencies, correction: CorrectionRecorded, begun: ForkState) {
    this.#dependencies = dependencies;
    this.#correction = correction;
    this.#without = begun.without;
    this.#with = begun.with;
    this.#orderBefore = begun.orderBefore;
    this.#orderAfter = begun.orderAfter;
    this.#open = new Set(begun.open);
    this.#keys = new Map(begun.keys);
    this.#before = begun.before;
    this.#after = begun.after;
    this.#uncorrected = begun.uncorrected;
    this.#position = begun.position;
    this.#erased = begun.erased;
    this.#hasConflict = begun.hasConflict;
    this.#corrected = begun.corrected;
    this.#bound = begun.bound;
    this.#owing = begun.owing;
    this.#listener = begun.listener;
  }

  /** The folds before the user's first event. */
  static begin(
    dependencies: FoldDependencies,
    correction: CorrectionRecorded,
    { earlier, amended, bound = null, listener = null }: EventsToCorrect,
  ): BeforeAfterFolds {
    const without = changesOf(earlier);
    const changes = changesOf([...earlier, { position: Infinity, fact: correction }]);
    const corrections = new Set(earlier.map(({ position }) => position));
    return new BeforeAfterFolds(dependencies, correction, {
      without,
      with: changes,
      keys: new Map(),
      orderBefore: EventOrder.of(without, amended),
      orderAfter: EventOrder.of(changes, amended),
      open: correction.corrections.map(({ position }) => position).filter((position) => !corrections.has(position)),
      before: new Branch(dependencies),
      after: null,
      position: 0,
      erased: false,
      hasConflict: false,
      uncorrected: bound !== null && mayChangeMore(correction, earlier) ? new Branch(dependencies) : null,
      corrected: earlier.at(-1)?.position ?? 0,
      bound,
      owing: null,
      listener,
    });
  }

  /** That of the last event taken; 0: none. */
  get position(): number {
    return this.#position;
  }

  /** That of the user's latest correction before this one; 0: none. */
  get corrected(): number {
    return this.#corrected;
  }

  /** Whether a correction has come that was not among the earlier ones: the folds lack what it changes. */
  get hasConflict(): boolean {
    return this.#hasConflict;
  }

  /** The idempotency keys of events that are retracted from now on (true), or no more. */
  get keys(): ReadonlyMap<KeyHash, boolean> {
    return this.#keys;
  }

  /** What they take in memory, about; it takes as long as to encode two documents. */
  get bytes(): number {
    const waiting = (this.#orderBefore.size + this.#orderAfter.size) * BYTES_OF_RECORD;
    const events = this.#without.size + this.#with.size + this.#open.size + this.#keys.size;
    const tracks = [this.#before, this.#after, this.#uncorrected];
    return waiting + events * BYTES_OF_EVENT + tracks.reduce((sum, branch) => sum + (branch?.bytes ?? 0), 0);
  }

  /** The user's states as the fold without the correction has them. @param version that of the correction */
  documentBefore(version: number): Document {
    return this.#documentOf(this.#before, this.#dependencies.configurations.at(version));
  }

  /** Where nothing is left of the user, they are as they were before their first event. */
  #documentOf(branch: Branch, configuration: Configuration): Document {
    return branch.document() ?? Fold.ofNobody(this.#dependencies.areas, configuration).states;
  }

  /** A copy that goes on by itself, with what is known of versions by now; nobody listens to it. */
  clone(configurations = this.#dependencies.configurations): BeforeAfterFolds {
    const parts = { ...this.#dependencies, configurations };
    return new BeforeAfterFolds(parts, this.#correction, {
      without: this.#without,
      with: this.#with,
      keys: this.#keys,
      open: this.#open,
      orderBefore: this.#orderBefore.clone(),
      orderAfter: this.#orderAfter.clone(),
      before: this.#before.clone(parts),
      after: this.#after?.clone(parts) ?? null,
      position: this.#position,
      uncorrected: this.#uncorrected?.clone(parts) ?? null,
      erased: this.#erased,
      hasConflict: this.#hasConflict,
      corrected: this.#corrected,
      bound: this.#bound,
      owing: this.#owing,
      listener: null,
    });
  }

  /** Takes the next event of the user. @returns how many effects it had, in all folds. @throws AreaError if an area cannot apply it; RangeError for one that is not behind the last */
  apply(record: RecordedUserEvent): number {
    const { position, fact } = record;
    if (position <= this.#position)
      throw new RangeError(`the event at position ${position} is not behind ${this.#position}`);
    this.#position = position;
    if (fact.type !== 'UserSwept') this.#open.delete(position);
    if (fact.type === 'UserErased') this.#erased = true;
    if (fact.type === 'CorrectionRecorded') this.#hasConflict ||= position > this.#corrected;
    else this.#noteKey(record);
    const uncorrected = this.#uncorrected?.take(record) ?? 0;
    return uncorrected + this.#take(this.#orderBefore.next(record), this.#orderAfter.next(record));
  }

  /** @returns how many effects there were */
  #take(before: readonly OrderedEvent[], after: readonly OrderedEvent[]): number {
    if (!isSameOrder(before, after)) this.#after ??= this.#part();
    const effects = this.#before.applyInOrder(before, this.#unparted);
    const mayApply = (record: RecordedUserEvent) => this.#mayGoOn(record.occurredAt);
    return effects + (this.#after?.applyInOrder(after, this.#listener, mayApply) ?? 0);
  }

  /** Who hears the fold without the correction: as long as the two are one. */
  get #unparted(): FoldListener | null {
    return this.#after === null ? this.#listener : null;
  }

  /**
   * What the correction makes of the user. The folds are of no use afterwards.
   * @param record the correction at its place in the log
   * @param stored the user's document before it
   * @throws CorrectionRefusedError
   */
  finish(record: RecordedEvent<CorrectionRecorded>, stored: Document): CorrectedUser {
    const { areas, configurations } = this.#dependencies;
    if (this.#erased) throw new CorrectionRefusedError('erased', 'the user is erased');
    const [unknown] = this.#open;
    if (unknown !== undefined)
      throw new CorrectionRefusedError('unknown_event', `the event at position ${unknown} is none of this user's own`);
    this.#take(this.#orderBefore.last(), this.#orderAfter.last());
    this.#after ??= this.#part();
    this.#mayGoOn(record.occurredAt);
    if (this.#owing !== null)
      throw new CorrectionRefusedError(
        'too_many_awards',
        `the user would be owed ${this.#owing.owed} awards`,
        this.#owing,
      );
    const [before, after] = [this.#before, this.#after];
    const configuration = configurations.at(record.configurationVersion);
    after.settle(record, this.#listener);
    if (this.#bound !== null) refuseMovesWithoutMetric(record.fact, after.withoutMetric);
    const document = this.#documentOf(after, configuration);
    const occasion = occasionOf(record, userOn(record), configuration);
    const emitter = new EffectList(occasion, configuration);
    const keepsAchievements = record.fact.achievements === 'keep';
    const rows = areas.map((area, index) =>
      area.correct({
        before: stored[index],
        after: document[index],
        taken: before.rowsOf(index),
        given: after.rowsOf(index),
        occasion,
        configuration,
        keepsAchievements,
        emitter,
      }),
    );
    return {
      occasion,
      configuration,
      document,
      effects: emitter.effects,
      rows,
      before: before.runs,
      after: after.runs,
      uncorrected: this.#uncorrected?.runs ?? null,
    };
  }

  /**
   * Whether the user with the correction is not owed too much by what makes them older than the user as they are, of whom nothing is asked:
   * what those are owed they would be given in any case.
   * @param next up to when the next event would give what is owed
   */
  #mayGoOn(next: Instant): boolean {
    const [bound, after, older] = [this.#bound, this.#after, this.#before.creation];
    if (this.#owing !== null || bound === null || !after?.creation) return this.#owing === null;
    const owed = after.owed(bound.configuration, Math.min(bound.at, older?.at ?? next));
    if (owed > MOST_OWED_AWARDS) this.#owing = { owed, eventId: after.creation.eventId };
    return this.#owing === null;
  }

  #part(): Branch {
    const after = this.#before.clone();
    this.#before.count();
    after.count();
    return after;
  }

  #noteKey({ position, fact }: RecordedUserEvent): void {
    if (!('keyHash' in fact) || fact.keyHash === null) return;
    const [was, is] = [this.#without, this.#with].map((changes) => changes.get(position)?.retracted ?? false);
    if (was !== is) this.#keys.set(fact.keyHash, is === true);
  }
}

/** Whether it may change final runs in which the two folds agree, because an earlier correction has left them as they were. */
const mayChangeMore = ({ finalRuns }: CorrectionRecorded, earlier: readonly CorrectionRecord[]): boolean =>
  finalRuns === 'change' && earlier.some(({ fact }) => fact.finalRuns === 'keep');

/** What is known of a corrected event, or of its key. */
const BYTES_OF_EVENT = 150;
const BYTES_OF_RECORD = 1_000;

/** What folds have come to. */
interface ForkState {
  readonly without: EventChanges;
  readonly with: EventChanges;
  readonly orderBefore: EventOrder;
  readonly orderAfter: EventOrder;
  /** Events that the correction names and that have not come yet. */
  readonly open: Iterable<number>;
  readonly keys: ReadonlyMap<KeyHash, boolean>;
  readonly before: Branch;
  readonly after: Branch | null;
  /** null: not wanted. */
  readonly uncorrected: Branch | null;
  readonly position: number;
  readonly erased: boolean;
  readonly hasConflict: boolean;
  readonly corrected: number;
  readonly bound: OwingBound | null;
  readonly owing: OwedAwards | null;
  readonly listener: FoldListener | null;
}

/**
 * Only the correction that moves an event there is refused: what was recorded before is carried out, also if it was recorded by a release
 * that left events at their place, or if a later correction takes away the event behind.
 */
function refuseMovesWithoutMetric({ corrections }: CorrectionRecorded, withoutMetric: ReadonlySet<number>): void {
  for (const correction of corrections)
    if (!correction.retract && correction.occurredAt !== undefined && withoutMetric.has(correction.position))
      throw new CorrectionRefusedError('unknown_metric', 'an event would be of a version without its metric', {
        eventId: correction.eventId,
      });
}

/** The user on the occasion of a correction, whose clock no area reads. */
const userOn = ({ occurredAt }: RecordedEvent): UserOnOccasion => ({
  createdAt: occurredAt,
  zone: 'UTC',
  previousZone: 'UTC',
  day: 0,
  total: null,
});
