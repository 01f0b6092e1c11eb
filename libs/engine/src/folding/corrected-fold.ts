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
import { CorrectionRefusedError } from './correction-refused-error.ts';
import type { Document } from './document.ts';
import { changesOf, type CorrectionRecord, type EventChanges } from './event-changes.ts';
import { EventOrder, isSameOrder, type OrderedEvent } from './event-order.ts';
import { Branch, type FoldListener, type FoldDependencies } from './branch.ts';

/** The result of a correction for its user. */
export interface CorrectedUser {
  readonly occasion: Occasion;
  readonly configuration: Configuration;
  /** The user's states after the correction. */
  readonly document: Document;
  /** The correction's own effects, in the order of the areas. */
  readonly effects: readonly Effect[];
  /** Changed rows, in the order of the areas. */
  readonly rows: readonly CorrectedRows[];
  /** The user's values in the runs of all boards, without the correction (`before`) and with it (`after`). */
  readonly before: RunValues;
  readonly after: RunValues;
  /**
   * Values without any correction. Needed if this correction changes final runs that earlier corrections left alone;
   * otherwise null.
   */
  readonly uncorrected: RunValues | null;
}

/**
 * Time awards that a correction would owe its user at once, with the event that creates the user after the correction.
 */
export interface OwedAwards {
  readonly owed: number;
  readonly eventId: string;
}

/** Limits the awards owed to a user: under the configuration in force, at the instant of the correction. */
export interface OwingBound {
  readonly configuration: Configuration;
  readonly at: Instant;
}

/** The input of both folds beside the correction itself. */
interface EventsToCorrect {
  /** All corrections of the user before this one, in the order of the log. */
  readonly earlier: readonly CorrectionRecord[];
  /** The user's events whose instants this correction or an earlier one names; see `UserEvents.amendedBy`. */
  readonly amended: readonly RecordedUserEvent[];
  /** null for a recorded correction: it is applied, however many awards it owes. */
  readonly bound?: OwingBound | null;
  /** Receives the effects of the fold with the correction, from the first event on. */
  readonly listener?: FoldListener | null;
}

/**
 * Folds one user's events twice, side by side (ADR 0033): with the corrections so far, and with one more correction.
 * The two folds share one branch until the new correction first makes a difference. If this correction changes final
 * runs that earlier corrections left alone, a third fold runs without any correction.
 *
 * {@link EventOrder} gives the order of the events. Each is applied under the version that it carries; a moved event
 * takes the version of the user's own events around it. Nothing is written. Only events with amended instants are kept
 * in memory, along with the sweeps and corrections up to the next own event. Memory otherwise grows with days, runs and
 * periods.
 */
export class BeforeAfterFolds {
  readonly #dependencies: FoldDependencies;
  readonly #correction: CorrectionRecorded;
  readonly #state: ForkState;

  private constructor(dependencies: FoldDependencies, correction: CorrectionRecorded, state: ForkState) {
    this.#dependencies = dependencies;
    this.#correction = correction;
    this.#state = state;
  }

  /** Both folds, before the user's first event. */
  static begin(
    dependencies: FoldDependencies,
    correction: CorrectionRecorded,
    { earlier, amended, bound = null, listener = null }: EventsToCorrect,
  ): BeforeAfterFolds {
    const without = changesOf(earlier);
    const changes = changesOf([...earlier, { position: Infinity, fact: correction }]);
    const named = correction.corrections.map(({ position }) => position);
    const corrections = new Set(earlier.map(({ position }) => position));
    return new BeforeAfterFolds(dependencies, correction, {
      without,
      with: changes,
      keys: new Map(),
      orderBefore: EventOrder.of(without, amended),
      orderAfter: EventOrder.of(changes, amended),
      open: new Set(named.filter((position) => !corrections.has(position))),
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

  /** Position of the last event taken; 0 before the first. */
  get position(): number {
    return this.#state.position;
  }

  /** Position of the user's latest earlier correction; 0 if there is none. */
  get corrected(): number {
    return this.#state.corrected;
  }

  /** Whether another correction has been recorded since these folds began: they do not include it. */
  get hasConflict(): boolean {
    return this.#state.hasConflict;
  }

  /** Idempotency keys whose events this correction retracts (true) or restores (false). */
  get keys(): ReadonlyMap<KeyHash, boolean> {
    return this.#state.keys;
  }

  /** Approximate size in memory. Computing it takes as long as encoding two documents. */
  get bytes(): number {
    const { orderBefore, orderAfter, without, with: changes, open, keys, before, after, uncorrected } = this.#state;
    const waiting = (orderBefore.size + orderAfter.size) * BYTES_OF_RECORD;
    const events = without.size + changes.size + open.size + keys.size;
    const branches = [before, after, uncorrected];
    return waiting + events * BYTES_OF_EVENT + branches.reduce((sum, branch) => sum + (branch?.bytes ?? 0), 0);
  }

  /** The user's states in the fold without the correction. @param version the correction's configuration version */
  documentBefore(version: number): Document {
    return this.#documentOf(this.#state.before, this.#dependencies.configurations.at(version));
  }

  /** If no event of the user is left, the states are those from before the first event. */
  #documentOf(branch: Branch, configuration: Configuration): Document {
    return branch.document() ?? Fold.ofNobody(this.#dependencies.areas, configuration).states;
  }

  /** An independent copy that uses the configuration versions known by now. It has no listener. */
  clone(configurations = this.#dependencies.configurations): BeforeAfterFolds {
    const parts = { ...this.#dependencies, configurations };
    const { open, keys, orderBefore, orderAfter, before, after, uncorrected } = this.#state;
    return new BeforeAfterFolds(parts, this.#correction, {
      ...this.#state,
      open: new Set(open),
      keys: new Map(keys),
      orderBefore: orderBefore.clone(),
      orderAfter: orderAfter.clone(),
      before: before.clone(parts),
      after: after?.clone(parts) ?? null,
      uncorrected: uncorrected?.clone(parts) ?? null,
      listener: null,
    });
  }

  /**
   * Takes the user's next event. @returns the number of effects in all folds. @throws AreaError if an area cannot apply
   * it; RangeError if its position is not after the last one
   */
  apply(record: RecordedUserEvent): number {
    const { position, fact } = record;
    if (position <= this.#state.position)
      throw new RangeError(`the event at position ${position} is not after ${this.#state.position}`);
    this.#state.position = position;
    if (fact.type !== 'UserSwept') this.#state.open.delete(position);
    if (fact.type === 'UserErased') this.#state.erased = true;
    if (fact.type === 'CorrectionRecorded') this.#state.hasConflict ||= position > this.#state.corrected;
    else this.#noteKey(record);
    const uncorrected = this.#state.uncorrected?.take(record) ?? 0;
    return uncorrected + this.#take(this.#state.orderBefore.next(record), this.#state.orderAfter.next(record));
  }

  /** @returns the number of effects */
  #take(before: readonly OrderedEvent[], after: readonly OrderedEvent[]): number {
    if (!isSameOrder(before, after)) this.#state.after ??= this.#part();
    const effects = this.#state.before.applyInOrder(before, this.#unparted);
    const mayApply = (record: RecordedUserEvent) => this.#mayGoOn(record.occurredAt);
    return effects + (this.#state.after?.applyInOrder(after, this.#state.listener, mayApply) ?? 0);
  }

  /** The listener of the shared branch; null once the two folds have parted. */
  get #unparted(): FoldListener | null {
    return this.#state.after === null ? this.#state.listener : null;
  }

  /**
   * Finishes both folds and returns the correction's result. The folds cannot be used afterwards.
   * @param record the recorded correction
   * @param stored the user's document before the correction
   * @throws CorrectionRefusedError
   */
  finish(record: RecordedEvent<CorrectionRecorded>, stored: Document): CorrectedUser {
    const { areas, configurations } = this.#dependencies;
    if (this.#state.erased) throw new CorrectionRefusedError('erased', 'the user is erased');
    const [unknown] = this.#state.open;
    if (unknown !== undefined)
      throw new CorrectionRefusedError('unknown_event', `the event at position ${unknown} is none of this user's own`);
    this.#take(this.#state.orderBefore.last(), this.#state.orderAfter.last());
    const after = (this.#state.after ??= this.#part());
    this.#mayGoOn(record.occurredAt);
    const { before, owing, bound, listener, uncorrected } = this.#state;
    if (owing !== null)
      throw new CorrectionRefusedError('too_many_awards', `the user would be owed ${owing.owed} awards`, owing);
    const configuration = configurations.at(record.configurationVersion);
    after.settle(record, listener);
    if (bound !== null) refuseMovesWithoutMetric(record.fact, after.withoutMetric);
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
      uncorrected: uncorrected?.runs ?? null,
    };
  }

  /**
   * Whether the corrected user stays within the limit of owed awards. Only awards that the correction adds count: the
   * corrected user may be older than the present one, whose own awards are due in any case.
   * @param next instant of the next event, which would give the owed awards
   */
  #mayGoOn(next: Instant): boolean {
    const [bound, after, older] = [this.#state.bound, this.#state.after, this.#state.before.creation];
    if (this.#state.owing !== null || bound === null || !after?.creation) return this.#state.owing === null;
    const owed = after.owed(bound.configuration, Math.min(bound.at, older?.at ?? next));
    if (owed > MOST_OWED_AWARDS) this.#state.owing = { owed, eventId: after.creation.eventId };
    return this.#state.owing === null;
  }

  #part(): Branch {
    const { before } = this.#state;
    const after = before.clone();
    before.count();
    after.count();
    return after;
  }

  #noteKey({ position, fact }: RecordedUserEvent): void {
    if (!('keyHash' in fact) || fact.keyHash === null) return;
    const { without, with: changes, keys } = this.#state;
    const [was, is] = [without, changes].map((all) => all.get(position)?.retracted ?? false);
    if (was !== is) keys.set(fact.keyHash, is === true);
  }
}

/**
 * Whether the correction may change final runs in which both folds agree, because an earlier correction left them as
 * they were.
 */
const mayChangeMore = ({ finalRuns }: CorrectionRecorded, earlier: readonly CorrectionRecord[]): boolean =>
  finalRuns === 'change' && earlier.some(({ fact }) => fact.finalRuns === 'keep');

/** Memory for a corrected event, or for its key. */
const BYTES_OF_EVENT = 150;
const BYTES_OF_RECORD = 1_000;

/** Progress of both folds. */
interface ForkState {
  readonly without: EventChanges;
  readonly with: EventChanges;
  readonly orderBefore: EventOrder;
  readonly orderAfter: EventOrder;
  /** Events that the correction names and that have not come yet. */
  readonly open: Set<number>;
  readonly keys: Map<KeyHash, boolean>;
  readonly before: Branch;
  after: Branch | null;
  /** The user without any correction, if this one may change final runs that an earlier one kept; otherwise null. */
  readonly uncorrected: Branch | null;
  position: number;
  erased: boolean;
  hasConflict: boolean;
  readonly corrected: number;
  readonly bound: OwingBound | null;
  /** The owed awards if there are too many, otherwise null. The fold with the correction then stops. */
  owing: OwedAwards | null;
  readonly listener: FoldListener | null;
}

/**
 * Refuses only the correction that moves an event to a version without its metric. Recorded corrections are always
 * carried out: an earlier release did not move events to another version, and a later correction may retract the event
 * after the moved one.
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
