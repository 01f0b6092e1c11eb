import { formatDay, type Instant, type LocalDate } from '@laurel/calendar';
import {
  EffectList,
  makesOutcomes,
  newMessage,
  occasionOf,
  requireAreas,
  tablesOf,
  type AnyUserArea,
  type AreaName,
  type AreaTable,
  type BoardsArea,
  type ChainMessage,
  type Configuration,
  type Effect,
  type KnownUser,
  type MissingRuns,
  type OutgoingDefinition,
  type RunDifference,
  type RunKey,
  type Sections,
  type Span,
  type UserRecord,
  type ViewRequest,
} from '@laurel/kernel';
import { MOST_CORRECTED_FINAL_RUNS } from '@laurel/ports';
import { dueAt } from '../folding/due-at.ts';
import type { Batch, BoardsTurn } from './batch.ts';
import { messageOf, ofState } from '../folding/damaged-state.ts';
import { userKey, type Document, type UserRef } from '../folding/document.ts';
import { LoadError, withRuns } from '../folding/with-runs.ts';
import { CorrectionRefusedError, type CorrectedUser } from '../folding/corrected-fold.ts';
import { messageBehind, passAreas, type Passage } from './pass-areas.ts';

/** What the chain made of one record. The boards may have their turn only with {@link Chain.load}, and add to it then. */
export interface ChainResult {
  readonly sections: Sections;
  /** The areas that did not apply it. */
  readonly pending: readonly AreaName[];
  /** That of the record's instant on the user's clock; null: the users area did not apply it. */
  readonly date: LocalDate | null;
  /** Whether it is a metric event that came behind a later one. */
  readonly late: boolean;
}

/** An area threw: told to the engine's owner, who logs it and turns health red. */
export type OnFailure = (area: AreaName, position: number, error: unknown) => void;

/**
 * The areas in their order. Each writes the user's draft, reads the effects of the areas before it, and emits its own. An area that
 * throws is stopped: the record and all later ones wait in its inbox as messages, the areas behind it see nothing, those before it
 * go on.
 */
export class Chain {
  readonly userAreas: readonly AnyUserArea[];
  readonly boards: BoardsArea;
  /** Those of all areas. */
  readonly tables: readonly AreaTable[];
  readonly #wholeUser: Span;
  /** The one that knows users, those that date events, and those that bound what is settled; each with its place in a document. */
  readonly #knowing: PlacedArea | undefined;
  readonly #dating: readonly PlacedArea[];
  readonly #bounding: readonly PlacedArea[];
  readonly #onFailure: OnFailure;

  constructor(userAreas: readonly AnyUserArea[], boards: BoardsArea, onFailure: OnFailure) {
    this.userAreas = userAreas;
    this.boards = boards;
    this.tables = tablesOf([...userAreas, boards]);
    this.#wholeUser = { first: 0, end: userAreas.length };
    const placed = userAreas.map((area, place) => ({ area, place }));
    this.#knowing = placed.find(({ area }) => area.knownUser !== undefined);
    this.#dating = placed.filter(({ area }) => area.isLate !== undefined);
    this.#bounding = placed.filter(({ area }) => area.settleBound !== undefined);
    this.#onFailure = onFailure;
  }

  get areaNames(): readonly AreaName[] {
    return [...this.userAreas.map((area) => area.name), this.boards.name];
  }

  /** What commands of a user are decided on, by the area that knows users; if there is none, it refuses nothing. */
  knownUser(document: Document): KnownUser {
    return this.#knowing?.area.knownUser?.(document[this.#knowing.place]) ?? UNKNOWN_USER;
  }

  /**
   * Applies a record of one user, whose document the batch holds, from the first area on.
   * @param wantsSections false: nobody reads them, and they may be absent
   */
  apply(
    batch: Batch,
    user: UserRef,
    record: UserRecord,
    configuration: Configuration,
    wantsSections: boolean,
  ): ChainResult {
    return this.resume(batch, user, newMessage(record), 0, configuration, wantsSections);
  }

  /** Applies a message from the area with index `first` on. */
  resume(
    batch: Batch,
    user: UserRef,
    message: ChainMessage,
    first: number,
    configuration: Configuration,
    wantsSections: boolean,
  ): ChainResult {
    const span = this.#spanFrom(first, batch);
    const passage = passAreas(this.userAreas, batch, user, message, span, configuration, wantsSections);
    const { applied } = passage;
    if (applied !== null) for (const rows of applied.rows) batch.addRows(rows);
    const known = applied === null ? message.user : applied.occasion.user;
    const result: OpenResult = {
      sections: { ...message.sections, ...applied?.sections },
      pending: [],
      date: known === null ? null : formatDay(known.day),
      late: applied !== null && this.#isLate(batch, user, passage),
    };
    const halted = this.userAreas[passage.span.end];
    if (halted === undefined)
      this.#inTurn(batch, () => this.#applyBoards(batch, passage, configuration, wantsSections, result));
    else {
      result.pending.push(...this.areaNames.slice(passage.span.end));
      if (passage.failure !== null) this.#stop(batch, halted.name, message, passage.failure.cause);
      batch.defer(halted.name, messageBehind(this.userAreas, passage));
    }
    return result;
  }

  #isLate(batch: Batch, user: UserRef, { message: { record }, span }: Passage): boolean {
    if (record.fact.type !== 'MetricEventRecorded') return false;
    const document = batch.documentOf(userKey(user)) as Document;
    const knows = this.#dating.filter(({ place }) => place >= span.first && place < span.end);
    return knows.some(({ area, place }) => area.isLate?.(document[place], record.occurredAt));
  }

  /** The areas of the user from `first` on, up to one that has stopped. */
  #spanFrom(first: number, { failures }: Batch): Span {
    if (first === 0 && failures.size === 0) return this.#wholeUser;
    const stopped = this.userAreas.findIndex(({ name }, index) => index >= first && failures.has(name));
    return { first, end: stopped < 0 ? this.userAreas.length : stopped };
  }

  #applyBoards(
    batch: Batch,
    passage: Passage,
    configuration: Configuration,
    wantsSection: boolean,
    result: OpenResult,
  ): MissingRuns | null {
    const { message, span, applied } = passage;
    const { name } = this.boards;
    const before = applied === null ? message.effects.length : applied.sink.effects.length;
    try {
      if (!batch.failures.has(name)) {
        requireAreas(this.boards, message, this.userAreas, span.first, span.end);
        const occasion = applied === null ? occasionOf(message, configuration) : applied.occasion;
        const sink = applied === null ? new EffectList(occasion, configuration, null, message.effects) : applied.sink;
        const made = batch.boards.apply(occasion, configuration, sink, wantsSection);
        if ('missing' in made) return made;
        batch.addRows(made.rows);
        if (made.section !== null) result.sections.leaderboards = made.section;
        if (span.first === 0 && configuration.outgoing)
          noteEffects(batch, message, sink.effects, configuration.outgoing);
        return null;
      }
    } catch (error) {
      this.#stop(batch, name, message, error);
    }
    result.pending.push(name);
    const behind = messageBehind(this.userAreas, passage);
    batch.defer(name, { ...behind, effects: behind.effects.slice(0, before) });
    return null;
  }

  /** The runs that a correction changes, or, being final, would change, and those that earlier ones have left to it. */
  runsOf({ before, after, uncorrected }: CorrectedUser, at: Instant): readonly RunDifference[] {
    const changed = this.boards.runDifferences(before, after, at);
    if (uncorrected === null) return changed;
    const named = new Set(changed.map(nameOfRun));
    const left = this.boards.runDifferences(uncorrected, after, at);
    return [...changed, ...left.filter((run) => run.isFinal && !named.has(nameOfRun(run)))];
  }

  /** @throws CorrectionRefusedError if the correction would change more final runs than a batch should hold */
  assertFewRuns(corrected: CorrectedUser, changesFinalRuns: boolean): void {
    if (!changesFinalRuns) return;
    const changed = this.runsOf(corrected, corrected.occasion.occurredAt).filter(({ isFinal }) => isFinal).length;
    if (changed > MOST_CORRECTED_FINAL_RUNS)
      throw new CorrectionRefusedError('too_many_runs', `${changed} final runs would change`);
  }

  /**
   * Puts what a correction makes of its user in the place of what there is.
   * @throws what the boards throw: nobody could give it to them later
   */
  correct(batch: Batch, user: UserRef, corrected: CorrectedUser, changesFinalRuns: boolean): void {
    const { occasion, configuration, document, effects, rows, before, after } = corrected;
    for (const { removed } of rows) batch.removeRows(this.tables, removed);
    for (const { added } of rows) batch.addRows(added);
    batch.setDocument(user, document, configuration);
    const correction = { occasion, before, after, changesFinalRuns };
    const sink = new EffectList(occasion, configuration, null, effects);
    let from: number | null = 0;
    this.#inTurn(batch, () => {
      while (from !== null && !batch.failures.has(this.boards.name)) {
        const made = batch.boards.correct(correction, configuration, sink, from);
        if ('missing' in made) return made;
        batch.addRows(made.rows);
        from = made.next;
      }
      return null;
    });
  }

  /** What lacks a run waits for {@link load}, and so does all that comes behind it. */
  #inTurn({ boardsWait }: Batch, turn: BoardsTurn): void {
    if (boardsWait.length > 0 || turn() !== null) boardsWait.push(turn);
  }

  /**
   * Loads the runs that the boards lack, and lets them do what has waited. To be called before the batch is added to, if anything waits.
   * @throws LoadError
   */
  async load({ boardsWait }: Batch): Promise<void> {
    for (let turn = boardsWait[0]; turn !== undefined; turn = boardsWait[0]) {
      await withRuns({ load: (runs) => this.#load(runs) }, () => turn() ?? DONE);
      boardsWait.shift();
    }
  }

  /** A run that cannot be read is the store's trouble, not the area's: the batch is tried again later. */
  async #load(runs: readonly RunKey[]): Promise<void> {
    try {
      await this.boards.load(runs);
    } catch (cause) {
      throw new LoadError('the standings of a run cannot be read', { cause });
    }
  }

  /**
   * Works out when something falls due for those whom the batch has changed since this was last done. A batch is not committed
   * before. @throws DamagedStateError if an area cannot work with its state
   */
  date({ users }: Batch): void {
    users.date(this.userAreas);
  }

  #stop(batch: Batch, area: AreaName, { record: { position } }: ChainMessage, error: unknown): void {
    batch.stop(area, { position: position - 1, reason: messageOf(error) });
    this.#onFailure(area, position, error);
  }

  /** See {@link dueAt}. */
  dueAt(user: UserRef, document: Document, configuration: Configuration): Instant | null {
    return dueAt(this.userAreas, user, document, configuration);
  }

  /**
   * How far a user may be settled by one record so that not more than `atMost` rows come of it: `upTo`, or earlier.
   * @throws DamagedStateError if an area cannot work with its state
   */
  settleBound(user: UserRef, document: Document, configuration: Configuration, upTo: Instant, atMost: number): Instant {
    let bound = upTo;
    for (const { area, place } of this.#bounding) {
      const own = ofState(user, area, () => area.settleBound?.(document[place], configuration, upTo, atMost));
      bound = Math.min(bound, own ?? upTo);
    }
    return bound;
  }

  /**
   * How everything reads for a user at `request.at`, nothing recorded: the answer to a replayed request.
   * @throws DamagedStateError if an area cannot work with its state
   */
  view(batch: Batch, request: ViewRequest, document: Document, configuration: Configuration): ChainResult {
    const result: OpenResult = { sections: {}, pending: [], date: request.originalDate, late: false };
    const sections = result.sections as Record<string, unknown>;
    for (const [index, area] of this.userAreas.entries()) {
      if (batch.failures.has(area.name)) {
        result.pending.push(...this.areaNames.slice(index));
        return result;
      }
      sections[area.name] = ofState(request, area, () => area.view(document[index], request, configuration));
    }
    this.#inTurn(batch, () => this.#viewBoards(batch, request, configuration, result));
    return result;
  }

  #viewBoards(
    batch: Batch,
    request: ViewRequest,
    configuration: Configuration,
    result: OpenResult,
  ): MissingRuns | null {
    if (batch.failures.has(this.boards.name)) result.pending.push(this.boards.name);
    else {
      const viewed = batch.boards.view(request, configuration);
      if ('missing' in viewed) return viewed;
      result.sections.leaderboards = viewed;
    }
    return null;
  }
}

interface PlacedArea {
  readonly area: AnyUserArea;
  readonly place: number;
}

/** A result to which the boards have yet to add. */
interface OpenResult extends ChainResult {
  readonly sections: { -readonly [Name in keyof Sections]: Sections[Name] };
  readonly pending: AreaName[];
}

/** Keeps what an event caused for the outcomes that are made of it: nothing, where none are. */
function noteEffects(
  batch: Batch,
  { record }: ChainMessage,
  emitted: readonly Effect[],
  outgoing: OutgoingDefinition,
): void {
  const effects = makesOutcomes(outgoing.effects, emitted) ? emitted : NO_EFFECTS;
  batch.effects.push({ position: record.position, subject: record.fact.subject, effects });
}

const NO_EFFECTS: readonly Effect[] = [];

const DONE = {};
const UNKNOWN_USER: KnownUser = { isCreated: false, isErased: false, attributes: new Map() };

const nameOfRun = ({ board, runStart }: RunDifference): string => JSON.stringify([board, runStart]);
