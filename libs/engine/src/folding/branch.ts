import type { Instant } from '@laurel/calendar';
import {
  Fold,
  isPointsRequest,
  keyText,
  MOST_OWED_AWARDS,
  type BoardsArea,
  type Configuration,
  type ConfigurationHistory,
  type CorrectionRecorded,
  type RecordedEvent,
  type ExplanationListener,
  type Row,
  type Rows,
  type RunValues,
  type Step,
  type RecordedUserEvent,
  sweepOf,
} from '@laurel/kernel';
import { EFFECTS_TABLE } from '@laurel/ports';
import { encodeDocument, type AnyUserArea, type Document } from './document.ts';
import { dueAt } from './due-at.ts';
import type { OrderedEvent } from './event-order.ts';
import { dueInstants } from './owed-by-newcomer.ts';

/** A kept row; a run with the user's standing in it. */
const BYTES_OF_ROW = 400;
const BYTES_OF_RUN = 250;

/** The areas, configurations and boards that a fold needs. */
export interface FoldDependencies {
  readonly areas: readonly AnyUserArea[];
  readonly configurations: Pick<ConfigurationHistory, 'at'>;
  readonly boards: Pick<BoardsArea, 'newRunValues'>;
}

/** Receives each event with its effects, and the reasons of the rules. */
export interface FoldListener {
  /** Receives the reasons of the rules while an event is applied, or null if nobody wants them. */
  readonly reasons: ExplanationListener | null;
  readonly applied: (step: Step) => void;
}

/** The event that creates a user, and its instant. */
interface Creation {
  readonly eventId: string;
  readonly at: Instant;
}

const hasMetric = ({ metrics }: Configuration, { fact }: RecordedUserEvent): boolean =>
  fact.type !== 'MetricEventRecorded' || metrics.some(({ key }) => key === fact.metric);

/**
 * One variant of a user's history in a correction: the states, rows and values that result if some events are changed.
 */
export class Branch {
  readonly #dependencies: FoldDependencies;
  runs: RunValues;
  #fold: Fold | null = null;
  #creation: Creation | null = null;
  #configuration: Configuration | null = null;
  /** Version of the user's last own event. Sweeps and corrections are not own events. */
  #ownVersion: number | null = null;
  /**
   * Positions of moved events whose metric is missing in the version of their new place. They keep their own version.
   */
  readonly withoutMetric = new Set<number>();
  /** The changed rows by index of the area and by table; rows of the same key are merged. */
  #rows: readonly Map<string, Map<string, Row>>[];
  #counts = false;

  constructor(dependencies: FoldDependencies) {
    this.#dependencies = dependencies;
    this.runs = dependencies.boards.newRunValues();
    this.#rows = dependencies.areas.map(() => new Map());
  }

  get bytes(): number {
    const rows = this.#rows.reduce((sum, tables) => sum + [...tables.values()].reduce((n, { size }) => n + size, 0), 0);
    const states = this.#fold === null ? 0 : 2 * encodeDocument(this.#dependencies.areas, this.#fold.states).length;
    return states + rows * BYTES_OF_ROW + this.runs.size * BYTES_OF_RUN;
  }

  /** null if the user does not exist yet. */
  get creation(): Creation | null {
    return this.#creation;
  }

  /**
   * Number of time awards owed to the user at that instant. Up to {@link MOST_OWED_AWARDS}, the number may be too high.
   */
  owed(configuration: Configuration, upTo: Instant): number {
    const [fold, creation] = [this.#fold, this.#creation];
    if (fold === null || creation === null) return 0;
    const instants = dueInstants(configuration, creation.at, upTo);
    if (instants <= MOST_OWED_AWARDS) return instants;
    return this.#dependencies.areas.reduce(
      (owed, area, index) =>
        owed + (area.owed?.(area.draft(fold.states[index], configuration), configuration, upTo) ?? 0),
      0,
    );
  }

  /** From now on, rows that areas count with are kept as well. */
  count(): void {
    this.#counts = true;
  }

  rowsOf(area: number): Rows {
    const tables = this.#rows[area] as ReadonlyMap<string, ReadonlyMap<string, Row>>;
    return new Map([...tables].map(([table, rows]) => [table, [...rows.values()]]));
  }

  /**
   * Applies consecutive events.
   * @param mayApply asked before each event; on false, applying stops
   * @returns the number of effects
   */
  applyInOrder(
    events: readonly OrderedEvent[],
    listener: FoldListener | null,
    mayApply: (record: RecordedUserEvent) => boolean = () => true,
  ): number {
    let effects = 0;
    for (const event of events) {
      if (!mayApply(event.record)) break;
      effects += this.take(this.#underItsVersion(event), listener);
    }
    return effects;
  }

  #underItsVersion({ record, isMoved, under }: OrderedEvent): RecordedUserEvent {
    const version = under ?? (isMoved ? this.#ownVersion : null) ?? record.configurationVersion;
    if (version === record.configurationVersion) return record;
    if (hasMetric(this.#dependencies.configurations.at(version), record))
      return { ...record, configurationVersion: version };
    this.withoutMetric.add(record.position);
    return record;
  }

  /** Applies an event; for a correction, settles what has fallen due by then. @returns the number of effects */
  take(record: RecordedUserEvent, listener: FoldListener | null = null): number {
    const { fact } = record;
    return fact.type === 'CorrectionRecorded'
      ? this.settle({ ...record, fact }, listener)
      : this.apply(record, listener);
  }

  /** @returns the number of effects */
  apply(record: RecordedUserEvent, listener: FoldListener | null = null): number {
    // Events before the user's creation have no effect.
    if (this.#fold === null && !createsUser(record)) return 0;
    const { areas, configurations } = this.#dependencies;
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

  /**
   * Settles at the correction's place what has fallen due by then: later, a run may be final or another version in
   * force.
   */
  settle(record: RecordedEvent<CorrectionRecorded>, listener: FoldListener | null = null): number {
    const { fact, configurationVersion, occurredAt } = record;
    if (!this.#isDue(occurredAt, this.#dependencies.configurations.at(configurationVersion), fact)) return 0;
    return this.apply(sweepOf(record, fact.subject), listener);
  }

  #isDue(at: Instant, configuration: Configuration, { subject }: CorrectionRecorded): boolean {
    if (this.#fold === null) return false;
    const due = dueAt(
      this.#dependencies.areas,
      { account: configuration.account, subject },
      this.#fold.states,
      configuration,
    );
    return due !== null && due <= at;
  }

  /** A copy of the states that the caller may write, or null if the user does not exist. */
  document(): Document | null {
    return this.#copied()?.states ?? null;
  }

  #copied(): Fold | null {
    return this.#configuration && this.#fold && this.#fold.copy(this.#configuration);
  }

  clone(dependencies = this.#dependencies): Branch {
    const copy = new Branch(dependencies);
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
    const { tables } = this.#dependencies.areas[area] as AnyUserArea;
    for (const { name, merge, negated, replacedBy } of tables) {
      const own = name === EFFECTS_TABLE || (negated !== undefined && !this.#counts) ? undefined : added.get(name);
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

/**
 * Events that name a user create them. So do grants and requests for points: they need a known user when they are recorded,
 * but one becomes the first event if the events before it are retracted.
 */
const createsUser = ({ fact }: RecordedUserEvent): boolean =>
  'user' in fact || fact.type === 'GrantRecorded' || isPointsRequest(fact);
