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
  readonly #state: ForkState;

  private constructor(dependencies: FoldDependencies, correction: CorrectionRecorded, state: ForkState) {
    this.#dependencies = dependencies;
    this.#correction = correction;
    this.#state = state;
  }

  /** The folds before the user's first event. */
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

  /** That of the last event taken; 0: none. */
  get position(): number {
    return this.#state.position;
  }

  /** That of the user's latest correction before this one; 0: none. */
  get corrected(): number {
    return this.#state.corrected;
  }

  /** Whether a correction has come that was not among the earlier ones: the folds lack what it changes. */
  get hasConflict(): boolean {
    return this.#state.hasConflict;
  }

  /** The idempotency keys of events that are retracted from now on (true), or no more. */
  get keys(): ReadonlyMap<KeyHash, boolean> {
    return this.#state.keys;
  }

  /** What they take in memory, about; it takes as long as to encode two documents. */
  get bytes(): number {
    const { orderBefore, orderAfter, without, with: changes, open, keys, before, after, uncorrected } = this.#state;
    const waiting = (orderBefore.size + orderAfter.size) * BYTES_OF_RECORD;
    const events = without.size + changes.size + open.size + keys.size;
    const branches = [before, after, uncorrected];
    return waiting + events * BYTES_OF_EVENT + branches.reduce((sum, branch) => sum + (branch?.bytes ?? 0), 0);
  }

  /** The user's states as the fold without the correction has them. @param version that of the correction */
  documentBefore(version: number): Document {
    return this.#documentOf(this.#state.before, this.#dependencies.configurations.at(version));
  }

  /** Where nothing is left of the user, they are as they were before their first event. */
  #documentOf(branch: Branch, configuration: Configuration): Document {
    return branch.document() ?? Fold.ofNobody(this.#dependencies.areas, configuration).states;
  }

  /** A copy that goes on by itself, with what is known of versions by now; nobody listens to it. */
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

  /** Takes the next event of the user. @returns how many effects it had, in all folds. @throws AreaError if an area cannot apply it; RangeError for one that is not behind the last */
  apply(record: RecordedUserEvent): number {
    const { position, fact } = record;
    if (position <= this.#state.position)
      throw new RangeError(`the event at position ${position} is not behind ${this.#state.position}`);
    this.#state.position = position;
    if (fact.type !== 'UserSwept') this.#state.open.delete(position);
    if (fact.type === 'UserErased') this.#state.erased = true;
    if (fact.type === 'CorrectionRecorded') this.#state.hasConflict ||= position > this.#state.corrected;
    else this.#noteKey(record);
    const uncorrected = this.#state.uncorrected?.take(record) ?? 0;
    return uncorrected + this.#take(this.#state.orderBefore.next(record), this.#state.orderAfter.next(record));
  }

  /** @returns how many effects there were */
  #take(before: readonly OrderedEvent[], after: readonly OrderedEvent[]): number {
    if (!isSameOrder(before, after)) this.#state.after ??= this.#part();
    const effects = this.#state.before.applyInOrder(before, this.#unparted);
    const mayApply = (record: RecordedUserEvent) => this.#mayGoOn(record.occurredAt);
    return effects + (this.#state.after?.applyInOrder(after, this.#state.listener, mayApply) ?? 0);
  }

  /** Who hears the fold without the correction: as long as the two are one. */
  get #unparted(): FoldListener | null {
    return this.#state.after === null ? this.#state.listener : null;
  }

  /**
   * What the correction makes of the user. The folds are of no use afterwards.
   * @param record the correction at its place in the log
   * @param stored the user's document before it
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
   * Whether the user with the correction is not owed too much by what makes them older than the user as they are, of whom nothing is asked:
   * what those are owed they would be given in any case.
   * @param next up to when the next event would give what is owed
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
  readonly open: Set<number>;
  readonly keys: Map<KeyHash, boolean>;
  readonly before: Branch;
  after: Branch | null;
  /** null: not wanted. */
  readonly uncorrected: Branch | null;
  position: number;
  erased: boolean;
  hasConflict: boolean;
  readonly corrected: number;
  readonly bound: OwingBound | null;
  /** Too much; null: it is not known to be. The fold with the correction goes no further. */
  owing: OwedAwards | null;
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
