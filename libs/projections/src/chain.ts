import type { Instant } from '@laurel/calendar';
import type {
  AreaName,
  AreaTable,
  BoardsArea,
  ChainMessage,
  Configuration,
  LogRecord,
  Refused,
  RunKey,
  Sections,
  UserFact,
  UserFields,
  UserSwept,
  ViewRequest,
} from '@laurel/contracts';
import type { Batch } from './batch.ts';
import { DamagedStateError } from './damaged-state.ts';
import type { AnyUserArea, Document, UserRef } from './document.ts';

/** What the chain made of one message. */
export interface ChainResult {
  readonly sections: Sections;
  /** The areas that did not apply it. */
  readonly pending: readonly AreaName[];
}

/** An area threw: told to the engine's owner, who logs it and turns health red. */
export type OnFailure = (area: AreaName, position: number, error: unknown) => void;

/**
 * The areas in their order. A message goes down the chain; each area reads its own state and what the areas before it
 * have added, and adds its section. An area that throws is stopped: the message and all later ones wait in its inbox,
 * the areas behind it see nothing, those before it go on.
 */
export class Chain {
  readonly userAreas: readonly AnyUserArea[];
  readonly boards: BoardsArea;
  /** Those of all areas. */
  readonly tables: readonly AreaTable[];
  readonly #onFailure: OnFailure;

  constructor(userAreas: readonly AnyUserArea[], boards: BoardsArea, onFailure: OnFailure) {
    this.userAreas = userAreas;
    this.boards = boards;
    this.tables = [...userAreas.flatMap((area) => area.tables), ...boards.tables];
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

  /** Applies a record of one user, from the first area on. `batch` holds the user's document. */
  apply(
    batch: Batch,
    user: UserRef,
    record: LogRecord<UserFact | UserSwept>,
    document: Document,
    configuration: Configuration,
  ): Promise<ChainResult> {
    return this.resume(batch, user, { record }, 0, document, configuration);
  }

  /** Applies a message from the area with index `first` on, which has seen all before it. */
  async resume(
    batch: Batch,
    user: UserRef,
    message: ChainMessage,
    first: number,
    document: Document,
    configuration: Configuration,
  ): Promise<ChainResult> {
    const states = [...document];
    let current = message;
    let index = first;
    for (; index < this.userAreas.length; index++) {
      const area = this.userAreas[index] as AnyUserArea;
      const section = this.#applyArea(batch, area, index, states, current, configuration);
      if (section === STOPPED) break;
      current = { ...current, [area.name]: section };
    }
    if (
      index === this.userAreas.length &&
      (await this.#applyBoards(batch, current, configuration, (m) => (current = m)))
    )
      index++;
    batch.setDocument(user, states, this.dueAt(user, states, configuration));
    return { sections: current, pending: this.areaNames.slice(index) };
  }

  #applyArea(
    batch: Batch,
    area: AnyUserArea,
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

  async #applyBoards(
    batch: Batch,
    message: ChainMessage,
    configuration: Configuration,
    put: (message: ChainMessage) => void,
  ): Promise<boolean> {
    const { name } = this.boards;
    if (batch.failures.has(name)) return this.#defer(batch, name, message) !== STOPPED;
    try {
      const missing = batch.boards.missing(message, configuration);
      if (missing.length > 0) await this.#load(missing);
      const { section, rows } = batch.boards.project(message, configuration);
      batch.addRows(rows);
      put({ ...message, leaderboards: section });
      return true;
    } catch (error) {
      if (error instanceof LoadError) throw error;
      this.#stop(batch, name, message, error);
      return false;
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
    return this.userAreas.reduce((bound, area, index) => {
      const own = ofState(user, area, () => area.settleBound?.(document[index], configuration, upTo, atMost) ?? upTo);
      return Math.min(bound, own);
    }, upTo);
  }

  /**
   * How everything reads for a user at `request.at`, nothing recorded: the answer to a replayed request.
   * @throws DamagedStateError if an area cannot work with its state
   */
  async view(
    batch: Batch,
    request: ViewRequest,
    document: Document,
    configuration: Configuration,
  ): Promise<ChainResult> {
    let current = request;
    for (const [index, area] of this.userAreas.entries()) {
      if (batch.failures.has(area.name)) return { sections: current, pending: this.areaNames.slice(index) };
      const section = ofState(request, area, () => area.view(document[index], current, configuration));
      current = { ...current, [area.name]: section };
    }
    if (batch.failures.has(this.boards.name)) return { sections: current, pending: [this.boards.name] };
    const missing = batch.boards.missing(current, configuration);
    if (missing.length > 0) await this.#load(missing);
    return { sections: { ...current, leaderboards: batch.boards.view(current, configuration) }, pending: [] };
  }
}

const STOPPED = Symbol('stopped');

function ofState<T>(user: UserRef, area: AnyUserArea, work: () => T): T {
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
