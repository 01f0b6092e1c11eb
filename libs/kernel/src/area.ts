import type { Subject } from './subject.ts';
import type { Instant, LocalDate } from '@laurel/calendar';
import type { Configuration, LeaderboardDefinition } from './configuration.ts';
import type { Contributions } from './contributions.ts';
import type { NamedKind } from './configured-names.ts';
import type { UserOnRecord } from './decide/user-state.ts';
import type { AreaName } from './area-names.ts';
import type { AreaCorrection, BoardsCorrection, CorrectedRows, RunDifference, RunValues } from './correction.ts';
import type { RankChanged } from './effects.ts';
import type { EffectList, Emitter } from './emitting.ts';
import type { Step } from './fold.ts';
import type { Occasion } from './occasion.ts';
import type { LeaderboardsAnswer } from './message.ts';

/**
 * A row that an area appends to one of its tables, or merges into it: JSON for the table's columns, or the input of
 * `AreaTable.stored`.
 */
export type Row = Readonly<Record<string, unknown>>;

/** Rows by table name. */
export type Rows = ReadonlyMap<string, readonly Row[]>;

/**
 * A table of an area, and how a batch of rows is written to it. The engine writes all tables of a batch with one
 * statement: `insert into NAME select * from unnest(ROWS::NAME[])` followed by `onConflict`.
 */
export interface AreaTable {
  readonly name: string;
  /**
   * SQL after the insert, such as `on conflict (account, subject) do update set …`. Empty if rows are only appended.
   */
  readonly onConflict: string;
  /**
   * Merges rows of one batch with the same key before they are written, because a statement may change a row only once.
   * Leave it out if rows of this table never have the same key.
   */
  readonly merge?: RowMerge;
  /**
   * For a table that counts: the row that undoes the given one. A correction adds it. Without it, a correction undoes
   * nothing in this table.
   */
  readonly negated?: (row: Row) => Row;
  /**
   * The columns that identify a row, for a table whose rows a correction replaces. Without them, a correction replaces
   * no rows.
   */
  readonly replacedBy?: readonly string[];
  /** Converts a merged row to JSON for the table's columns. Without it, rows already have this form. */
  readonly stored?: (row: Row) => Row;
  /**
   * SQL for the values of an account ($1) that a digest hashes, as texts called `value`. Default: the rows as they are.
   * Needed for a table that names users or other things by number, or that may spread one value over several rows.
   */
  readonly digest?: (sql: DigestSql) => string;
  /** Columns that rows of an earlier release lack. A comparison of stored and rebuilt rows leaves them out. */
  readonly addedLater?: readonly string[];
  /** Set for a table that counts. In other tables, each row belongs to the user in its column `subject`. */
  readonly counter?: Counter;
  /** Set if rows are deleted after use: digests and comparisons then ignore the table. */
  readonly isTransient?: true;
}

/** A table outside the areas. An erasure deletes the user's rows in it, and its certificate counts them. */
export interface PersonalTable {
  readonly name: string;
  /** A condition on rows `t`: they concern any of these users. @param subjects SQL for an array of subjects */
  readonly concerns: (subjects: string) => string;
}

export interface Counter {
  /** The columns that identify a counter. */
  readonly key: readonly string[];
  /** The columns that rows are added to, in the table and in stored rows. */
  readonly numbers: readonly string[];
}

/** Merges rows with the same key. */
export interface RowMerge {
  readonly keyOf: (row: Row) => string;
  readonly combine: (earlier: Row, later: Row) => Row;
  /** Like {@link combine}, but changes the earlier row, which the caller owns. Default: `combine` makes a new row. */
  readonly absorb?: (earlier: Row, later: Row) => void;
  /** Memory of a row beyond its columns, in bytes. Default: 0, for columns with numbers and short texts. */
  readonly bytesOf?: (row: Row) => number;
  /**
   * Set if only rows of the same event can have the same key: whether two such rows do, without computing their keys.
   */
  readonly withinEvent?: (earlier: Row, later: Row) => boolean;
}

/** Merges rows with the same key. The result is in the order in which the keys first appear. */
export function mergedRows({ merge }: Pick<AreaTable, 'merge'>, rows: readonly Row[]): readonly Row[] {
  if (merge === undefined || rows.length < 2) return rows;
  const { keyOf, combine, absorb, withinEvent } = merge;
  if (withinEvent) return mergedNeighbours(withinEvent, combine, rows);
  const byKey = new Map<string, Row>();
  /** Rows made here, so later rows with the same key may be merged into them. */
  const own = new Set<Row>();
  for (const row of rows) {
    const key = keyOf(row);
    const earlier = byKey.get(key);
    if (earlier === undefined) byKey.set(key, row);
    else if (absorb !== undefined && own.has(earlier)) absorb(earlier, row);
    else {
      const combined = combine(earlier, row);
      own.add(combined);
      byKey.set(key, combined);
    }
  }
  return [...byKey.values()];
}

/** Merges rows with the same key that are adjacent, because they belong to one event. */
function mergedNeighbours(
  areOne: RowMerge['withinEvent'] & {},
  combine: RowMerge['combine'],
  rows: readonly Row[],
): readonly Row[] {
  const merged: Row[] = [];
  let last: Row | null = null;
  for (const row of rows) {
    if (last !== null && areOne(last, row)) {
      last = combine(last, row);
      merged[merged.length - 1] = last;
    } else {
      last = row;
      merged.push(row);
    }
  }
  return merged;
}

/** Rows in their stored form. */
export const storedRows = ({ stored }: Pick<AreaTable, 'stored'>, rows: readonly Row[]): readonly Row[] =>
  stored === undefined ? rows : rows.map(stored);

/** Names for the SQL of a digest. */
export interface DigestSql {
  /** The table with the users' ids: `account`, `subject`, `user_id`. */
  readonly directory: string;
  /**
   * Join and condition that select rows with a `subject` of the account, and provide `user_id`. Subjects that the
   * directory no longer has match every account, with a null id.
   */
  readonly ofUsers: string;
  /** An expression for the name whose number is in this column. */
  name(kind: NamedKind, column: string): string;
}

/** The tables of these areas; a shared table appears once. */
export const tablesOf = (areas: readonly { readonly tables: readonly AreaTable[] }[]): readonly AreaTable[] => [
  ...new Map(areas.flatMap(({ tables }) => tables).map((table) => [table.name, table])).values(),
];

/**
 * An area whose state belongs to one user. The engine loads and saves states, and handles batches, checkpoints and
 * rebuilds.
 *
 * `apply` is deterministic and reads only its arguments. If it throws, the area stops at that event; recording goes on,
 * and so do the areas before it.
 */
export interface UserArea<State, AnswerPart> {
  readonly name: Exclude<AreaName, 'leaderboards'>;
  /**
   * Version of everything that the area stores, state and tables. A release that raises it requires a rebuild of the
   * area.
   */
  readonly stateVersion: number;
  readonly tables: readonly AreaTable[];
  /** Create and change the tables, in this order. Table names have no schema, so the tables can be created in any. */
  readonly migrations: readonly Migration[];
  /**
   * Queries that read stored rows as answers do: `date` as text, `instant` by the driver. A process runs them to check
   * whether it can still read its database. Each finds its row by an index, because a scan would read deleted rows
   * first.
   */
  readonly readableRows: readonly string[];
  /**
   * An SQL expression of jsonb over the area's column that is equal for equal states, for a digest. Default: the column
   * itself. Needed for a state with lists in no particular order.
   */
  readonly digest?: string;
  /** The areas whose effects it reads. */
  readonly needs: readonly AreaName[];
  /** The state of a user without recorded events. */
  initial(): State;
  /** A copy of the state that `apply` may change, in the slots of the configuration. */
  draft(state: State, configuration: Configuration): State;
  /**
   * Changes the draft, reads the effects of the areas before it, and emits its own. If it throws, the draft may be half
   * written.
   */
  apply(draft: State, occasion: Occasion, configuration: Configuration, emitter: Emitter): void;
  /** The answer part for a step that all areas have applied. The draft is the state after the step. */
  answerPart(draft: State, step: Step): AnswerPart;
  /** The rows to store beside the state. @param answerPart that of the same step, or null if nobody asked for it */
  rows(draft: State, step: Step, answerPart: AnswerPart | null): Rows;
  /** Emits the effects of a correction, and returns how the area's rows change. */
  correct(correction: AreaCorrection<State>): CorrectedRows;
  /** The answer part as of `request.at`, with nothing recorded, for the answer to a replay. */
  view(state: State, request: ViewRequest, configuration: Configuration): AnswerPart;
  /** The data about a user on which commands are decided. Missing if the area knows nothing about users. */
  knownUser?(state: State): UserOnRecord;
  /** The unfinished boosts of their own that the user has in a points system. Missing if the area knows nothing about boosts. */
  boostsHeld?(state: State, configuration: Configuration, system: string, at: Instant): number;
  /**
   * Whether the user already had a later metric event when the one at this instant was applied. Missing if the area
   * does not know.
   */
  isLate?(state: State, occurredAt: Instant): boolean;
  /**
   * The earliest instant at which a sweep must settle the user if no event is recorded before; -Infinity for now, null
   * for never. Missing if nothing in this area falls due without an event.
   */
  dueAt?(state: State, configuration: Configuration): Instant | null;
  /**
   * The latest instant ≤ `upTo` to which settling the user takes at most `atMost` rows. Missing if the area never needs
   * more than a few rows.
   */
  settleBound?(state: State, configuration: Configuration, upTo: Instant, atMost: number): Instant;
  /**
   * Number of rows for everything that has fallen due up to `upTo` and is not settled. Missing if it is at most a few.
   */
  owed?(state: State, configuration: Configuration, upTo: Instant): number;
  /** Encodes the state as plain JSON (no Map, no bigint); `decode` reads it. */
  encode(state: State): unknown;
  decode(json: unknown): State;
}

/** Any user area. The engine passes states around without looking into them. */
export type AnyUserArea = UserArea<unknown, unknown>;

/** A replayed event, to be answered as of the instant `at` (specification, section 3). */
export interface ViewRequest {
  readonly account: string;
  readonly subject: Subject;
  readonly at: Instant;
  /** null if the event has no metric. */
  readonly metric: string | null;
  /** The points system of a grant. */
  readonly pointsSystem?: string;
  /** The local date of the original event, in the user's time zone of that time. */
  readonly originalDate: LocalDate;
}

/** A run of a board. `start` is the run's first date. */
export interface RunKey {
  readonly account: string;
  readonly board: string;
  /** The board's number, under which the run is stored. */
  readonly boardNumber: number;
  readonly start: LocalDate;
}

/** The beginning of a run, at the start of its first date in UTC, or the moment at which it became final. */
export interface RunTurn {
  readonly kind: 'started' | 'ended';
  /** First date of the run. */
  readonly run: LocalDate;
  readonly at: Instant;
}

/**
 * The leaderboards area. Its state belongs to (board, run, user), so it keeps the standings itself and opens layers
 * over them.
 */
export interface BoardsArea {
  readonly name: 'leaderboards';
  readonly stateVersion: number;
  readonly tables: readonly AreaTable[];
  /** The areas whose effects it reads. */
  readonly needs: readonly AreaName[];
  /** Loads the committed standings of these runs into memory. Idempotent; layers may be open. */
  load(runs: readonly RunKey[]): Promise<void>;
  /** Empty values of one user, for a fold of the user's events. */
  newRunValues(): RunValues;
  /** The runs in which the values of two folds differ. @param at decides which runs are final */
  runDifferences(before: RunValues, after: RunValues, at: Instant): readonly RunDifference[];
  /** The first runs that began, or became final, after `after` and up to `upTo`, oldest first, at most `limit`. */
  runTurns(
    board: LeaderboardDefinition,
    kind: RunTurn['kind'],
    after: Instant,
    upTo: Instant,
    limit: number,
  ): readonly RunTurn[];
  /** A layer over the committed standings, or over a layer whose batch is still being committed. */
  openLayer(below: BoardsLayer | null): BoardsLayer;
  /** Clears the memory, because the tables were rewritten. @throws Error while a layer is open. */
  forget(): void;
  /**
   * For a rebuild whose events made no rows of standings: returns all standings of changed runs, in chunks. Events make
   * rows from then on. Missing or empty if events always make rows. No layer may be open, and nothing else may change
   * the standings meanwhile.
   */
  changedStandings?(): Iterable<Rows>;
}

export interface BoardsApplied {
  readonly answerPart: LeaderboardsAnswer | null;
  readonly changes: readonly RankChanged[];
  /** Computed when it is read. Read it before the layer changes again, and only to store the rows. */
  readonly rows: Rows;
}

export interface BoardsCorrected {
  readonly rows: Rows;
  /** The index to continue with, or null if all runs are done. */
  readonly next: number | null;
}

/** The runs to load before an event can be applied or a request answered. */
export interface MissingRuns {
  readonly missing: readonly RunKey[];
}

/** The changes of one batch. Until they are published, only this batch and the layers above see them. */
export interface BoardsLayer {
  /**
   * Reads the effects of the earlier areas in the emitter, and adds its own. If runs are missing or it throws, the
   * layer is unchanged.
   * @param wantsAnswer whether anybody reads the answer part; if not, it is null
   */
  apply(
    occasion: Occasion,
    configuration: Configuration,
    emitter: EffectList,
    wantsAnswer: boolean,
  ): BoardsApplied | MissingRuns;
  view(request: ViewRequest, configuration: Configuration): LeaderboardsAnswer | MissingRuns;
  /**
   * Sets the user's values in some runs to the corrected ones, and adds the effects. Handles a few runs per call,
   * because each must be in memory. If runs are missing or it throws, the layer is unchanged.
   * @param from 0, or `next` of the previous result
   */
  correct(
    correction: BoardsCorrection,
    configuration: Configuration,
    emitter: EffectList,
    from: number,
  ): BoardsCorrected | MissingRuns;
  /** Called after the commit, in the order in which the layers were opened: passes the changes to the layer below. */
  publish(): void;
  /** Called after a failed commit: drops the changes. Layers above must be discarded as well. */
  discard(): void;
}

/** A layer of boards for contributions that another process computes. */
export interface ContributionsLayer extends Pick<BoardsLayer, 'publish' | 'discard'> {
  /**
   * Applies the contributions of a record, and makes an answer part if it is wanted. If runs are missing or it throws,
   * the layer is unchanged.
   * @param configuration has the version of the contributions
   * @throws RangeError if that version has no such board, or the board has no such run
   */
  contribute(contributions: Contributions, configuration: Configuration): BoardsApplied | MissingRuns;
}

/** The leaderboards in the process that owns them and receives contributions from others. */
export interface ContributedBoards extends Pick<BoardsArea, 'tables' | 'load'> {
  openLayer(below: null): ContributionsLayer;
}

/** Reads the stored states of users. */
export interface StateReader {
  /** null if the area does not know the user. */
  read(account: string, subject: Subject, area: Exclude<AreaName, 'leaderboards'>): Promise<unknown>;
  /** {@link read} for many users in one statement. Users that the area does not know are missing in the result. */
  readAll(
    account: string,
    subjects: readonly Subject[],
    area: Exclude<AreaName, 'leaderboards'>,
  ): Promise<ReadonlyMap<Subject, unknown>>;
}

/** The database cannot be reached. The outcome of the request is unknown; a retry may help. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
}

/** Runs SQL; the queries of all areas use it. */
export interface SqlReader {
  /** @throws StoreUnavailableError while the database cannot be reached. */
  query<R extends object>(sql: string, parameters: readonly unknown[]): Promise<R[]>;
}

/** A migration: applied once, in order of its name, which begins with a number (`0001-…`). */
export interface Migration {
  readonly name: string;
  readonly sql: string;
}
