import { formatDay, type Instant, type LocalDate } from '@laurel/calendar';
import {
  tablesOf,
  type AreaName,
  type AreaTable,
  type BoardsApplied,
  type BoardsArea,
  type ChainMessage,
  type Configuration,
  type MissingRuns,
  type Refused,
  type RunKey,
  type Sections,
  type UserFields,
  type ViewRequest,
} from '@laurel/contracts';
import { applyToDraft, messageOf } from './apply-to-draft.ts';
import type { Batch, BoardsTurn } from './batch.ts';
import type { UserRecord } from './changed-user.ts';
import { DamagedStateError } from './damaged-state.ts';
import { userKey, type AnyDraftedArea, type Document, type UserRef } from './document.ts';

/** What the chain made of one record. The boards may have their turn only with {@link Chain.load}, and add to it then. */
export interface ChainResult {
  readonly sections: Sections;
  /** The areas that did not apply it. */
  readonly pending: readonly AreaName[];
  /** That of the record's instant on the user's clock; null: the users area did not apply it. */
  readonly date: LocalDate | null;
}

/** An area threw: told to the engine's owner, who logs it and turns health red. */
export type OnFailure = (area: AreaName, position: number, error: unknown) => void;

/**
 * The areas in their order. Each writes the user's draft, reads the effects of the areas before it, and emits its own. An area that
 * throws is stopped: the record and all later ones wait in its inbox as messages, the areas behind it see nothing, those before it
 * go on. While any is stopped, all are applied on messages, each to states of its own.
 */
export class Chain {
  readonly userAreas: readonly AnyDraftedArea[];
  readonly boards: BoardsArea;
  /** Those of all areas. */
  readonly tables: readonly AreaTable[];
  readonly #onFailure: OnFailure;

  constructor(userAreas: readonly AnyDraftedArea[], boards: BoardsArea, onFailure: OnFailure) {
    this.userAreas = userAreas;
    this.boards = boards;
    this.tables = tablesOf([...userAreas, boards]);
    this.#onFailure = onFailure;
  }

  get areaNames(): readonly AreaName[] {
    return [...this.userAreas.map((area) => area.name), this.boards.name];
  }

  /** Why a command that says this of a user is refused; null: it is accepted. */
  refusalOf(document: Document, fields: UserFields): Refused['reason'] | null {
    for (const [index, area] of this.userAreas.entries()) {
      const reason = area.refusalOf?.(document[index], fields) ?? null;
      if (reason !== null) return reason;
    }
    return null;
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
    const drafted =
      batch.failures.size === 0
        ? applyToDraft(this.userAreas, batch, user, record, configuration, wantsSections)
        : null;
    if (drafted === null) return this.resume(batch, user, { record }, 0, configuration);
    const { occasion, sink, sections, rows } = drafted.applied;
    for (const added of rows) batch.addRows(added);
    const result = { sections: { ...sections }, pending: [], date: formatDay(occasion.user.day) };
    const work: BoardsWork = {
      apply: () => batch.boards.applyOccasion(occasion, configuration, sink, wantsSections),
      message: () => messageOf(this.userAreas, drafted),
    };
    this.#inTurn(batch, () => this.#applyBoards(batch, work, result));
    return result;
  }

  /** Applies a message from the area with index `first` on, which has seen all before it. */
  resume(batch: Batch, user: UserRef, message: ChainMessage, first: number, configuration: Configuration): ChainResult {
    const states = [...(batch.documentOf(userKey(user)) as Document)];
    let current = message;
    let index = first;
    for (; index < this.userAreas.length; index++) {
      const area = this.userAreas[index] as AnyDraftedArea;
      const section = this.#applyArea(batch, area, index, states, current, configuration);
      if (section === STOPPED) break;
      current = { ...current, [area.name]: section };
    }
    batch.setDocument(user, states, configuration);
    const { record: _record, ...sections } = current;
    const date = sections.users?.date ?? null;
    const result = { sections, pending: this.areaNames.slice(index), date };
    if (index < this.userAreas.length) return result;
    result.pending = [];
    const work: BoardsWork = {
      apply: () => {
        const missing = batch.boards.missing(current, configuration);
        return missing.length > 0 ? { missing } : batch.boards.project(current, configuration);
      },
      message: () => current,
    };
    this.#inTurn(batch, () => this.#applyBoards(batch, work, result));
    return result;
  }

  #applyArea(
    batch: Batch,
    area: AnyDraftedArea,
    index: number,
    states: unknown[],
    message: ChainMessage,
    configuration: Configuration,
  ): unknown {
    if (batch.failures.has(area.name)) return this.#defer(batch, area.name, message);
    try {
      const { state, section, rows } = area.project(states[index], message, configuration);
      states[index] = state;
      batch.addRows(rows);
      return section;
    } catch (error) {
      return this.#stop(batch, area.name, message, error);
    }
  }

  #applyBoards(batch: Batch, { apply, message }: BoardsWork, result: OpenResult): readonly RunKey[] {
    const { name } = this.boards;
    try {
      if (batch.failures.has(name)) this.#defer(batch, name, message());
      else {
        const applied = apply();
        if ('missing' in applied) return applied.missing;
        batch.addRows(applied.rows);
        if (applied.section !== null) result.sections.leaderboards = applied.section;
        return NOTHING_MISSING;
      }
    } catch (error) {
      this.#stop(batch, name, message(), error);
    }
    result.pending.push(name);
    return NOTHING_MISSING;
  }

  /** What lacks a run waits for {@link load}, and so does all that comes behind it. */
  #inTurn({ boardsWait }: Batch, turn: BoardsTurn): void {
    if (boardsWait.length > 0 || turn().length > 0) boardsWait.push(turn);
  }

  /**
   * Loads the runs that the boards lack, and lets them do what has waited. To be called before the batch is added to, if anything waits.
   * @throws LoadError
   */
  async load({ boardsWait }: Batch): Promise<void> {
    for (let turn = boardsWait[0]; turn !== undefined; turn = boardsWait[0]) {
      const missing = turn();
      if (missing.length > 0) {
        await this.#load(missing);
        if (turn().length > 0) throw new LoadError('a run is not in memory though it was read');
      }
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
  date({ undated }: Batch): void {
    for (const changed of undated) changed.dueAt = this.dueAt(changed, changed.document, changed.configuration);
    undated.clear();
  }

  #stop(batch: Batch, area: AreaName, message: ChainMessage, error: unknown): typeof STOPPED {
    const { position } = message.record;
    batch.stop(area, { position: position - 1, reason: error instanceof Error ? error.message : String(error) });
    this.#onFailure(area, position, error);
    return this.#defer(batch, area, message);
  }

  #defer(batch: Batch, area: AreaName, message: ChainMessage): typeof STOPPED {
    batch.defer(area, message);
    return STOPPED;
  }

  /**
   * The first instant at which something falls due for a user by itself; null: never.
   * @throws DamagedStateError if an area cannot work with its state
   */
  dueAt(user: UserRef, document: Document, configuration: Configuration): Instant | null {
    let first: Instant | null = null;
    for (const [index, area] of this.userAreas.entries()) {
      const due = ofState(user, area, () => area.dueAt?.(document[index], configuration) ?? null);
      if (due !== null && (first === null || due < first)) first = due;
    }
    return first;
  }

  /**
   * How far a user may be settled by one record so that not more than `atMost` rows come of it: `upTo`, or earlier.
   * @throws DamagedStateError if an area cannot work with its state
   */
  settleBound(user: UserRef, document: Document, configuration: Configuration, upTo: Instant, atMost: number): Instant {
    let bound = upTo;
    for (let index = 0; index < this.userAreas.length; index++) {
      const area = this.userAreas[index] as AnyDraftedArea;
      if (!area.settleBound) continue;
      try {
        bound = Math.min(bound, area.settleBound(document[index], configuration, upTo, atMost));
      } catch (cause) {
        throw new DamagedStateError(user, area.name, cause);
      }
    }
    return bound;
  }

  /**
   * How everything reads for a user at `request.at`, nothing recorded: the answer to a replayed request.
   * @throws DamagedStateError if an area cannot work with its state
   */
  view(batch: Batch, request: ViewRequest, document: Document, configuration: Configuration): ChainResult {
    const date = request.originalDate;
    let current = request;
    for (const [index, area] of this.userAreas.entries()) {
      if (batch.failures.has(area.name)) return { sections: current, pending: this.areaNames.slice(index), date };
      const section = ofState(request, area, () => area.view(document[index], current, configuration));
      current = { ...current, [area.name]: section };
    }
    const result: OpenResult = { sections: { ...current }, pending: [], date };
    this.#inTurn(batch, () => {
      if (batch.failures.has(this.boards.name)) result.pending.push(this.boards.name);
      else {
        const missing = batch.boards.missing(current, configuration);
        if (missing.length > 0) return missing;
        result.sections.leaderboards = batch.boards.view(current, configuration);
      }
      return NOTHING_MISSING;
    });
    return result;
  }
}

/** What the boards are to apply, and the same as a message, for their inbox. */
interface BoardsWork {
  readonly apply: () => BoardsApplied | MissingRuns;
  readonly message: () => ChainMessage;
}

/** A result to which the boards have yet to add. */
interface OpenResult extends ChainResult {
  readonly sections: { -readonly [Name in keyof Sections]: Sections[Name] };
  readonly pending: AreaName[];
}

const NOTHING_MISSING: readonly RunKey[] = [];

const STOPPED = Symbol('stopped');

function ofState<T>(user: UserRef, area: AnyDraftedArea, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new DamagedStateError(user, area.name, cause);
  }
}

/** The standings of a run cannot be read. */
export class LoadError extends Error {
  override readonly name = 'LoadError';
}
