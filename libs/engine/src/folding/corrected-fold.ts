import type { Instant } from '@laurel/calendar';
import {
  Fold,
  EffectList,
  keyText,
  MOST_OWED_AWARDS,
  type BoardsArea,
  type Configuration,
  type ConfigurationHistory,
  type CorrectedRows,
  type CorrectionRecorded,
  type Effect,
  type KeyHash,
  type LogRecord,
  type Occasion,
  type Reasons,
  type Row,
  type Rows,
  type RunValues,
  type Step,
  type UserRecord,
} from '@laurel/kernel';
import { EFFECTS } from '@laurel/ports';
import { dueAt } from './due-at.ts';
import { dueInstants } from './owed-by-newcomer.ts';
import { encodeDocument, type AnyUserArea, type Document } from './document.ts';
import { changesOf, type CorrectionRecord, type EventChanges } from './event-changes.ts';
import { EventOrder, isSameOrder, type OrderedEvent } from './event-order.ts';

/** What a fold works with. */
export interface FoldParts {
  readonly areas: readonly AnyUserArea[];
  readonly configurations: Pick<ConfigurationHistory, 'at'>;
  readonly boards: Pick<BoardsArea, 'newRunValues'>;
}

/** Hears of each event what was made of it. */
export interface FoldListener {
  /** Hears why while an event is applied; null: nobody asks. */
  readonly reasons: Reasons | null;
  readonly applied: (step: Step) => void;
}

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

/**
 * Two folds of one user's events side by side (ADR 0033): with the corrections so far, and with one more. They part where this one first
 * makes something else of the user; up to there they are one. A third without any correction goes with them where earlier ones have left
 * final runs that this one changes. The events are applied in the order that {@link EventOrder} gives, each under the version that it
 * carries; one that was moved under that of the user's own events around it. Nothing is written, and only events whose instants were amended are
 * held, with the sweeps and corrections up to the next own event: else memory grows with days, runs and periods.
 */
export class CorrectionFolds {
  readonly #parts: FoldParts;
  readonly #correction: CorrectionRecorded;
  readonly #without: EventChanges;
  readonly #with: EventChanges;
  readonly #orderBefore: EventOrder;
  readonly #orderAfter: EventOrder;
  readonly #open: Set<number>;
  readonly #keys: Map<KeyHash, boolean>;
  readonly #bound: OwingBound | null;
  readonly #listener: FoldListener | null;
  #before: Track;
  #after: Track | null;
  readonly #uncorrected: Track | null;
  #position: number;
  #erased: boolean;
  #isOvertaken: boolean;
  readonly #corrected: number;
  /** Too much; null: it is not known to be. The fold with the correction goes no further. */
  #owing: OwedAwards | null;

  private constructor(parts: FoldParts, correction: CorrectionRecorded, begun: Begun) {
    this.#parts = parts;
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
    this.#isOvertaken = begun.isOvertaken;
    this.#corrected = begun.corrected;
    this.#bound = begun.bound;
    this.#owing = begun.owing;
    this.#listener = begun.listener;
  }

  /**
   * Of no event yet.
   * @param earlier all corrections of the user before this one, in the order of the log
   * @param amended the user's events whose instants any of them names, or this one; see `UserEvents.amendedBy`
   * @param bound null: the correction was recorded, so it is carried out whatever it owes
   * @param listener hears the fold with the correction, from the first event on
   */
  static begin(
    parts: FoldParts,
    earlier: readonly CorrectionRecord[],
    correction: CorrectionRecorded,
    amended: readonly UserRecord[],
    bound: OwingBound | null = null,
    listener: FoldListener | null = null,
  ): CorrectionFolds {
    const without = changesOf(earlier);
    const changes = changesOf([...earlier, { position: Infinity, fact: correction }]);
    const corrections = new Set(earlier.map(({ position }) => position));
    return new CorrectionFolds(parts, correction, {
      ...{ without, with: changes, keys: new Map() },
      ...{ orderBefore: EventOrder.of(without, amended), orderAfter: EventOrder.of(changes, amended) },
      open: correction.corrections.map(({ position }) => position).filter((position) => !corrections.has(position)),
      ...{ before: new Track(parts), after: null, position: 0, erased: false, isOvertaken: false },
      uncorrected: bound !== null && mayChangeMore(correction, earlier) ? new Track(parts) : null,
      ...{ corrected: earlier.at(-1)?.position ?? 0, bound, owing: null, listener },
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
  get isOvertaken(): boolean {
    return this.#isOvertaken;
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
    return waiting + events * BYTES_OF_EVENT + tracks.reduce((sum, track) => sum + (track?.bytes ?? 0), 0);
  }

  /** The user's states as the fold without the correction has them. @param version that of the correction */
  documentBefore(version: number): Document {
    return this.#documentOf(this.#before, this.#parts.configurations.at(version));
  }

  /** Where nothing is left of the user, they are as they were before their first event. */
  #documentOf(track: Track, configuration: Configuration): Document {
    return track.document() ?? Fold.ofNobody(this.#parts.areas, configuration).states;
  }

  /** A copy that goes on by itself, with what is known of versions by now; nobody listens to it. */
  clone(configurations = this.#parts.configurations): CorrectionFolds {
    const parts = { ...this.#parts, configurations };
    return new CorrectionFolds(parts, this.#correction, {
      ...{ without: this.#without, with: this.#with, keys: this.#keys, open: this.#open },
      ...{ orderBefore: this.#orderBefore.clone(), orderAfter: this.#orderAfter.clone() },
      ...{ before: this.#before.clone(parts), after: this.#after?.clone(parts) ?? null, position: this.#position },
      uncorrected: this.#uncorrected?.clone(parts) ?? null,
      ...{ erased: this.#erased, isOvertaken: this.#isOvertaken, corrected: this.#corrected },
      ...{ bound: this.#bound, owing: this.#owing, listener: null },
    });
  }

  /** Takes the next event of the user. @returns how many effects it had, in all folds. @throws AreaError if an area cannot apply it; RangeError for one that is not behind the last */
  apply(record: UserRecord): number {
    const { position, fact } = record;
    if (position <= this.#position)
      throw new RangeError(`the event at position ${position} is not behind ${this.#position}`);
    this.#position = position;
    if (fact.type !== 'UserSwept') this.#open.delete(position);
    if (fact.type === 'UserErased') this.#erased = true;
    if (fact.type === 'CorrectionRecorded') this.#isOvertaken ||= position > this.#corrected;
    else this.#noteKey(record);
    const uncorrected = this.#uncorrected?.take(record) ?? 0;
    return uncorrected + this.#take(this.#orderBefore.next(record), this.#orderAfter.next(record));
  }

  /** @returns how many effects there were */
  #take(before: readonly OrderedEvent[], after: readonly OrderedEvent[]): number {
    if (!isSameOrder(before, after)) this.#after ??= this.#part();
    const effects = this.#before.applyInOrder(before, this.#unparted);
    const mayApply = (record: UserRecord) => this.#mayGoOn(record.occurredAt);
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
  finish(record: LogRecord<CorrectionRecorded>, stored: Document): CorrectedUser {
    const { areas, configurations } = this.#parts;
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
    const occasion = occasionOf(record);
    const sink = new EffectList(occasion, configuration);
    const keepsAchievements = record.fact.achievements === 'keep';
    const rows = areas.map((area, index) =>
      area.correct({
        ...{ before: stored[index], after: document[index], taken: before.rowsOf(index), given: after.rowsOf(index) },
        ...{ occasion, configuration, keepsAchievements, sink },
      }),
    );
    return {
      ...{ occasion, configuration, document, effects: sink.effects, rows },
      ...{ before: before.runs, after: after.runs, uncorrected: this.#uncorrected?.runs ?? null },
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

  #part(): Track {
    const after = this.#before.clone();
    this.#before.count();
    after.count();
    return after;
  }

  #noteKey({ position, fact }: UserRecord): void {
    if (!('keyHash' in fact) || fact.keyHash === null) return;
    const [was, is] = [this.#without, this.#with].map((changes) => changes.get(position)?.retracted ?? false);
    if (was !== is) this.#keys.set(fact.keyHash, is === true);
  }
}

/** Whether it may change final runs in which the two folds agree, because an earlier correction has left them as they were. */
const mayChangeMore = ({ finalRuns }: CorrectionRecorded, earlier: readonly CorrectionRecord[]): boolean =>
  finalRuns === 'change' && earlier.some(({ fact }) => fact.finalRuns === 'keep');

/** What is known of a corrected event, or of its key; a row that is kept; a run and the user's standing in it. */
const BYTES_OF_EVENT = 150;
const BYTES_OF_RECORD = 1_000;
const BYTES_OF_ROW = 400;
const BYTES_OF_RUN = 250;

/** What folds have come to. */
interface Begun {
  readonly without: EventChanges;
  readonly with: EventChanges;
  readonly orderBefore: EventOrder;
  readonly orderAfter: EventOrder;
  /** Events that the correction names and that have not come yet. */
  readonly open: Iterable<number>;
  readonly keys: ReadonlyMap<KeyHash, boolean>;
  readonly before: Track;
  readonly after: Track | null;
  /** null: not wanted. */
  readonly uncorrected: Track | null;
  readonly position: number;
  readonly erased: boolean;
  readonly isOvertaken: boolean;
  readonly corrected: number;
  readonly bound: OwingBound | null;
  readonly owing: OwedAwards | null;
  readonly listener: FoldListener | null;
}

/** The event that creates a user, and when. */
interface Creation {
  readonly eventId: string;
  readonly at: Instant;
}

const hasMetric = ({ metrics }: Configuration, { fact }: UserRecord): boolean =>
  fact.type !== 'MetricEventRecorded' || metrics.some(({ key }) => key === fact.metric);

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

/** One of the two folds. */
class Track {
  readonly #parts: FoldParts;
  runs: RunValues;
  #fold: Fold | null = null;
  #creation: Creation | null = null;
  #configuration: Configuration | null = null;
  /** Of the user's last own event: no sweep, and no correction. */
  #ownVersion: number | null = null;
  /** Places in the log of events that were moved to where the version lacks their metric. They count under their own. */
  readonly withoutMetric = new Set<number>();
  /** By the place of the area and the table, those on the same key merged. */
  #rows: readonly Map<string, Map<string, Row>>[];
  #counts = false;

  constructor(parts: FoldParts) {
    this.#parts = parts;
    this.runs = parts.boards.newRunValues();
    this.#rows = parts.areas.map(() => new Map());
  }

  get bytes(): number {
    const rows = this.#rows.reduce((sum, tables) => sum + [...tables.values()].reduce((n, { size }) => n + size, 0), 0);
    const states = this.#fold === null ? 0 : 2 * encodeDocument(this.#parts.areas, this.#fold.states).length;
    return states + rows * BYTES_OF_ROW + this.runs.size * BYTES_OF_RUN;
  }

  /** null: there is no user yet. */
  get creation(): Creation | null {
    return this.#creation;
  }

  /** How many time awards the user is owed at that instant; at most {@link MOST_OWED_AWARDS} it may be more than there are. */
  owed(configuration: Configuration, upTo: Instant): number {
    const [fold, creation] = [this.#fold, this.#creation];
    if (fold === null || creation === null) return 0;
    const instants = dueInstants(configuration, creation.at, upTo);
    if (instants <= MOST_OWED_AWARDS) return instants;
    return this.#parts.areas.reduce(
      (owed, area, index) =>
        owed + (area.owed?.(area.draft(fold.states[index], configuration), configuration, upTo) ?? 0),
      0,
    );
  }

  /** From here on what the areas count is kept, too. */
  count(): void {
    this.#counts = true;
  }

  rowsOf(area: number): Rows {
    const tables = this.#rows[area] as ReadonlyMap<string, ReadonlyMap<string, Row>>;
    return new Map([...tables].map(([table, rows]) => [table, [...rows.values()]]));
  }

  /**
   * Applies events that follow each other.
   * @param mayApply asked before each
   * @returns how many effects they had
   */
  applyInOrder(
    events: readonly OrderedEvent[],
    listener: FoldListener | null,
    mayApply: (record: UserRecord) => boolean = () => true,
  ): number {
    let effects = 0;
    for (const event of events) {
      if (!mayApply(event.record)) break;
      effects += this.take(this.#underItsVersion(event), listener);
    }
    return effects;
  }

  #underItsVersion({ record, isMoved, under }: OrderedEvent): UserRecord {
    const version = under ?? (isMoved ? this.#ownVersion : null) ?? record.configurationVersion;
    if (version === record.configurationVersion) return record;
    if (hasMetric(this.#parts.configurations.at(version), record)) return { ...record, configurationVersion: version };
    this.withoutMetric.add(record.position);
    return record;
  }

  /** Applies an event, or settles what has fallen due by a correction. @returns how many effects it had */
  take(record: UserRecord, listener: FoldListener | null = null): number {
    const { fact } = record;
    return fact.type === 'CorrectionRecorded'
      ? this.settle({ ...record, fact }, listener)
      : this.apply(record, listener);
  }

  /** @returns how many effects it had */
  apply(record: UserRecord, listener: FoldListener | null = null): number {
    // Nothing happens to a user before the first event that creates them.
    if (this.#fold === null && !createsUser(record)) return 0;
    const { areas, configurations } = this.#parts;
    const configuration = configurations.at(record.configurationVersion);
    this.#fold ??= Fold.ofNobody(areas, configuration);
    this.#creation ??= { eventId: record.eventId, at: record.occurredAt };
    this.#configuration = configuration;
    if (record.fact.type !== 'UserSwept') this.#ownVersion = configuration.version;
    const reasons = listener?.reasons ?? null;
    const step = this.#fold.apply(record, configuration, { reasons });
    this.runs.add(step.occasion, configuration, step.effects);
    step.rows.forEach((added, area) => this.#keep(area, added));
    listener?.applied(step);
    return step.effects.length;
  }

  /** What has fallen due by a correction is given at its place: later a run may be final, or another version in force. */
  settle(record: LogRecord<CorrectionRecorded>, listener: FoldListener | null = null): number {
    const { fact, configurationVersion, occurredAt } = record;
    if (!this.#isDue(occurredAt, this.#parts.configurations.at(configurationVersion), fact)) return 0;
    return this.apply({ ...record, fact: { type: 'UserSwept', subject: fact.subject, place: 0 } }, listener);
  }

  #isDue(at: Instant, configuration: Configuration, { subject }: CorrectionRecorded): boolean {
    if (this.#fold === null) return false;
    const due = dueAt(this.#parts.areas, { account: configuration.account, subject }, this.#fold.states, configuration);
    return due !== null && due <= at;
  }

  /** The states, which the caller may write; null: there is no user. */
  document(): Document | null {
    return this.#copied()?.states ?? null;
  }

  #copied(): Fold | null {
    return this.#configuration && this.#fold && this.#fold.copy(this.#configuration);
  }

  clone(parts = this.#parts): Track {
    const copy = new Track(parts);
    copy.#configuration = this.#configuration;
    copy.#ownVersion = this.#ownVersion;
    copy.#fold = this.#copied();
    copy.#creation = this.#creation;
    copy.#rows = this.#rows.map((tables) => new Map([...tables].map(([table, rows]) => [table, new Map(rows)])));
    copy.#counts = this.#counts;
    for (const position of this.withoutMetric) copy.withoutMetric.add(position);
    copy.runs = this.runs.clone();
    return copy;
  }

  #keep(area: number, added: Rows): void {
    const kept = this.#rows[area] as Map<string, Map<string, Row>>;
    const { tables } = this.#parts.areas[area] as AnyUserArea;
    for (const { name, merge, negated, replacedBy } of tables) {
      const own = name === EFFECTS || (negated !== undefined && !this.#counts) ? undefined : added.get(name);
      if (own === undefined || own.length === 0 || (merge ?? replacedBy) === undefined) continue;
      const rows = kept.get(name) ?? new Map<string, Row>();
      kept.set(name, rows);
      for (const row of own) {
        const key = merge === undefined ? keyText(replacedBy ?? [], row) : merge.keyOf(row);
        const earlier = rows.get(key);
        rows.set(key, earlier === undefined || merge === undefined ? row : merge.combine(earlier, row));
      }
    }
  }
}

/** Events that name a user do. A grant is given to a known one, and is the first of what remains if what made them known is retracted. */
const createsUser = ({ fact }: UserRecord): boolean => 'user' in fact || fact.type === 'GrantRecorded';

const occasionOf = ({ fact, ...record }: LogRecord<CorrectionRecorded>): Occasion => ({
  ...{ account: record.account, subject: fact.subject, position: record.position, eventId: record.eventId },
  ...{ occurredAt: record.occurredAt, recordedAt: record.recordedAt, cause: { type: 'CorrectionReceived' } },
  user: { createdAt: record.occurredAt, zone: 'UTC', previousZone: 'UTC', day: 0, total: null },
});
