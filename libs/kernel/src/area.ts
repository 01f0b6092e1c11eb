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

/** A row that an area appends or merges into one of its own tables: JSON that the table's columns read, or what `AreaTable.stored` makes JSON of. */
export type Row = Readonly<Record<string, unknown>>;

/** Rows by table name. */
export type Rows = ReadonlyMap<string, readonly Row[]>;

/**
 * A table of an area, and how a batch of rows goes into it. The engine writes all tables of a batch with one statement:
 * `insert into NAME select * from unnest(ROWS::NAME[])` followed by `onConflict`.
 */
export interface AreaTable {
  readonly name: string;
  /** SQL behind the insert, e.g. `on conflict (account, subject) do update set …`; empty for rows that are only appended. */
  readonly onConflict: string;
  /**
   * Merges the rows of one batch that fall on the same key, before they reach SQL (one statement may touch a row once).
   * Absent: rows of this table never collide.
   */
  readonly merge?: RowMerge;
  /**
   * The row that takes back what this one has added, of a table that counts: a correction adds it. Absent: a correction takes nothing
   * back here.
   */
  readonly negated?: (row: Row) => Row;
  /** The columns that name a row of a table whose rows a correction replaces; absent: it replaces none here. */
  readonly replacedBy?: readonly string[];
  /** The row as JSON that the table's columns read; absent: every row is that already. Rows are merged before. */
  readonly stored?: (row: Row) => Row;
  /**
   * What a digest hashes of an account ($1), as SQL that answers texts called `value`; absent: the rows as they are. For a table that
   * names a user or anything else by number, or that holds one thing in several rows, in one way here and in another there.
   */
  readonly digest?: (sql: DigestSql) => string;
  /** Columns that rows of an earlier release lack, so that a comparison of stored with rebuilt rows leaves them out. */
  readonly addedLater?: readonly string[];
  /** A table that counts; absent: each row is of a user, whose `subject` it has. */
  readonly counter?: Counter;
  /** Rows are deleted once they have served, so neither a digest nor a comparison looks at them; absent: they stay. */
  readonly isTransient?: true;
}

/** A table, of no area, whose rows of a user an erasure deletes and its certificate counts. */
export interface PersonalTable {
  readonly name: string;
  /** A condition for the rows `t` that concern any of these users. @param subjects SQL for an array of subjects */
  readonly concerns: (subjects: string) => string;
}

export interface Counter {
  /** The columns that say what is counted. */
  readonly key: readonly string[];
  /** The columns that rows add to, in the table and in a row as it is stored. */
  readonly numbers: readonly string[];
}

/** How rows that fall on the same key become one. */
export interface RowMerge {
  readonly keyOf: (row: Row) => string;
  readonly combine: (earlier: Row, later: Row) => Row;
  /** As {@link combine}, but writes the earlier row, which the caller owns; absent: `combine` makes a new one. */
  readonly absorb?: (earlier: Row, later: Row) => void;
  /** Bytes of memory that a row takes beyond its columns; absent: none, each holds a number or a short text. */
  readonly bytesOf?: (row: Row) => number;
  /** Only rows of one event fall on the same key: whether two of them do, without their keys; absent: those of several events do. */
  readonly withinEvent?: (earlier: Row, later: Row) => boolean;
}

/** Those on the same key merged, in the order in which the keys first came. */
export function mergedRows({ merge }: Pick<AreaTable, 'merge'>, rows: readonly Row[]): readonly Row[] {
  if (merge === undefined || rows.length < 2) return rows;
  const { keyOf, combine, absorb, withinEvent } = merge;
  if (withinEvent) return mergedNeighbours(withinEvent, combine, rows);
  const byKey = new Map<string, Row>();
  /** Made here, so the next one on the key may be written into it. */
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

/** The rows of one event come one behind the other. */
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

/** Rows as they are stored. */
export const storedRows = ({ stored }: Pick<AreaTable, 'stored'>, rows: readonly Row[]): readonly Row[] =>
  stored === undefined ? rows : rows.map(stored);

/** What the SQL of a digest names. */
export interface DigestSql {
  /** The table that has the users' ids: `account`, `subject`, `user_id`. */
  readonly directory: string;
  /**
   * Join and condition that leave the rows with a `subject` of the account's users, and give `user_id`. A subject that the directory
   * has forgotten is of every account, and its id is null.
   */
  readonly ofUsers: string;
  /** An expression for the name that has the number in this column. */
  name(kind: NamedKind, column: string): string;
}

/** The tables of some areas; one that several share is among them once. */
export const tablesOf = (areas: readonly { readonly tables: readonly AreaTable[] }[]): readonly AreaTable[] => [
  ...new Map(areas.flatMap(({ tables }) => tables).map((table) => [table.name, table])).values(),
];

/**
 * An area whose state belongs to one user. The engine loads, saves, batches, checkpoints and rebuilds.
 *
 * `apply` is deterministic and reads nothing but its arguments. If it throws, the area halts at that event; the event store and the
 * areas before it go on.
 */
export interface UserArea<State, AnswerPart> {
  readonly name: Exclude<AreaName, 'leaderboards'>;
  /** Version of all that the area stores, state and tables. A release that raises it asks for a rebuild of the area. */
  readonly stateVersion: number;
  readonly tables: readonly AreaTable[];
  /** Create the tables and change them, in this order, by their bare names: in whichever schema they run. */
  readonly migrations: readonly Migration[];
  /**
   * Statements that read stored rows as answers read them: `date` as text, `instant` by the driver. A process asks them whether it can
   * still read its database. Each finds its row by an index, because a scan would read deleted rows first.
   */
  readonly readableRows: readonly string[];
  /**
   * What a digest hashes of the area's column, as an SQL expression of jsonb that is equal for equal states; absent: the column as it is.
   * For a state whose lists have no order.
   */
  readonly digest?: string;
  /** The areas before it whose effects it reads. */
  readonly needs: readonly AreaName[];
  /** State of a user of whom nothing has been recorded. */
  initial(): State;
  /** A copy that `apply` may write, in the slots of the configuration. */
  draft(state: State, configuration: Configuration): State;
  /** Writes the draft, reads the effects of the areas before it, and emits its own. If it throws, the draft may be half written. */
  apply(draft: State, occasion: Occasion, configuration: Configuration, emitter: Emitter): void;
  /** The answer part of a step whose areas have all applied their record; the draft is as that has left it. */
  answerPart(draft: State, step: Step): AnswerPart;
  /** What it stores beside the state. @param answerPart of the same step; null if nobody asked for it. */
  rows(draft: State, step: Step, answerPart: AnswerPart | null): Rows;
  /** Emits what a correction changes, and says what becomes of the area's rows. */
  correct(correction: AreaCorrection<State>): CorrectedRows;
  /** The section as of `request.at`, with nothing recorded: the answer to a replayed request is made of it. */
  view(state: State, request: ViewRequest, configuration: Configuration): AnswerPart;
  /** What commands are decided on. Absent: the area knows nothing of it. */
  knownUser?(state: State): UserOnRecord;
  /** Whether the metric event at this instant, which the state has applied, came behind a later one. Absent: the area does not know. */
  isLate?(state: State, occurredAt: Instant): boolean;
  /**
   * The earliest instant at which a sweep has something to settle for the user, if nothing is recorded before it; -Infinity: now;
   * null: never. Absent: nothing in this area falls due by itself.
   */
  dueAt?(state: State, configuration: Configuration): Instant | null;
  /**
   * The latest instant ≤ `upTo` to which the user can be settled with at most `atMost` rows. Absent: the area never has more than a
   * few.
   */
  settleBound?(state: State, configuration: Configuration, upTo: Instant, atMost: number): Instant;
  /** Number of rows for what has fallen due up to `upTo` and is not settled. Absent: a few at most. */
  owed?(state: State, configuration: Configuration, upTo: Instant): number;
  /** The state as plain JSON (no Map, no bigint), and back. */
  encode(state: State): unknown;
  decode(json: unknown): State;
}

/** Any user area: the engine moves states about, but never looks into them. */
export type AnyUserArea = UserArea<unknown, unknown>;

/** A replayed event, asked again at the instant `at` (specification, section 3). */
export interface ViewRequest {
  readonly account: string;
  readonly subject: Subject;
  readonly at: Instant;
  /** null: it is about no metric. */
  readonly metric: string | null;
  /** It is about this points system. */
  readonly pointsSystem?: string;
  /** The date of the original event on the user's clock of that time. */
  readonly originalDate: LocalDate;
}

/** One run of one board. `start` is the run's first date. */
export interface RunKey {
  readonly account: string;
  readonly board: string;
  /** The board's number, under which the run is stored. */
  readonly boardNumber: number;
  readonly start: LocalDate;
}

/** That a run began, at the beginning of its first date in UTC, or that it became final. */
export interface RunTurn {
  readonly kind: 'started' | 'ended';
  /** First date of the run. */
  readonly run: LocalDate;
  readonly at: Instant;
}

/**
 * The leaderboards area: its state belongs to (board, run, user), so it keeps the standings itself and hands out layers.
 */
export interface BoardsArea {
  readonly name: 'leaderboards';
  readonly stateVersion: number;
  readonly tables: readonly AreaTable[];
  /** The areas before it whose effects it reads. */
  readonly needs: readonly AreaName[];
  /** Reads the committed standings of these runs into memory. Idempotent; may run while layers are open. */
  load(runs: readonly RunKey[]): Promise<void>;
  /** For a fold of one user's events: they have no values yet. */
  newRunValues(): RunValues;
  /** The runs in which the values of two folds differ. @param at what is final then */
  runDifferences(before: RunValues, after: RunValues, at: Instant): readonly RunDifference[];
  /** The first runs that began, or became final, behind `after` and up to `upTo`, oldest first, at most `limit`. */
  runTurns(
    board: LeaderboardDefinition,
    kind: RunTurn['kind'],
    after: Instant,
    upTo: Instant,
    limit: number,
  ): readonly RunTurn[];
  /** A layer over the committed standings, or over a layer whose batch is still being committed. */
  openLayer(below: BoardsLayer | null): BoardsLayer;
  /** Drops what is in memory, because the tables were rewritten. @throws Error while a layer is open. */
  forget(): void;
  /**
   * All standings of the runs that have changed, so many rows at a time, where events made no rows of them; from now on they do. For a
   * rebuild. Absent, or nothing: events always do. No layer may be open, and nothing else change them meanwhile.
   */
  changedStandings?(): Iterable<Rows>;
}

export interface BoardsApplied {
  readonly answerPart: LeaderboardsAnswer | null;
  readonly changes: readonly RankChanged[];
  /** Made when they are read, so read them before the layer changes again, and only if they are to be stored. */
  readonly rows: Rows;
}

export interface BoardsCorrected {
  readonly rows: Rows;
  /** Where to go on; null: all runs are done. */
  readonly next: number | null;
}

/** To be loaded before an occasion can be applied, or a request answered. */
export interface MissingRuns {
  readonly missing: readonly RunKey[];
}

/** What one batch changes, seen by that batch (and layers above) alone until it is published. */
export interface BoardsLayer {
  /**
   * Reads the effects of the areas before in the emitter, and adds its own. If runs are missing, or it throws, the layer is as it was.
   * @param wantsAnswer whether anybody reads the answer part; it is null otherwise
   */
  apply(
    occasion: Occasion,
    configuration: Configuration,
    emitter: EffectList,
    wantsAnswer: boolean,
  ): BoardsApplied | MissingRuns;
  view(request: ViewRequest, configuration: Configuration): LeaderboardsAnswer | MissingRuns;
  /**
   * Sets the user's values in some runs to those after the correction, and adds its effects: a few runs at a time, because each must be in
   * memory. If runs are missing, or it throws, the layer is as it was.
   * @param from 0, or `next` of what was answered before
   */
  correct(
    correction: BoardsCorrection,
    configuration: Configuration,
    emitter: EffectList,
    from: number,
  ): BoardsCorrected | MissingRuns;
  /** After the commit, and in the order in which the layers were opened: what is below takes the changes over. */
  publish(): void;
  /** After a failed commit: forgets the changes. Layers above must be discarded too. */
  discard(): void;
}

/** A layer of boards whose contributions another process works out. */
export interface ContributionsLayer extends Pick<BoardsLayer, 'publish' | 'discard'> {
  /**
   * Applies what a record contributes, with a section if it wants an answer. If runs are missing, or it throws, the layer is as it was.
   * @param configuration of the version of the contributions
   * @throws RangeError if that has no such board, or the board no such run
   */
  contribute(contributions: Contributions, configuration: Configuration): BoardsApplied | MissingRuns;
}

/** The leaderboards as their owner has them, whom other processes send contributions. */
export interface ContributedBoards extends Pick<BoardsArea, 'tables' | 'load'> {
  openLayer(below: null): ContributionsLayer;
}

/** Reads what an area has stored of users. */
export interface StateReader {
  /** null: the user is unknown to the area. */
  read(account: string, subject: Subject, area: Exclude<AreaName, 'leaderboards'>): Promise<unknown>;
  /** {@link read} for many users in one statement. Absent: unknown to the area. */
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

/** Reads by SQL; every area's queries are written against this. */
export interface SqlReader {
  /** @throws StoreUnavailableError while the database cannot be reached. */
  query<R extends object>(sql: string, parameters: readonly unknown[]): Promise<R[]>;
}

/** A migration: applied once, in order of its name, which begins with a number (`0001-…`). */
export interface Migration {
  readonly name: string;
  readonly sql: string;
}
