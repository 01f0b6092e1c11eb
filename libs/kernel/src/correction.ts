import type { AreaTable, Row, Rows } from './area.ts';
import type { Configuration } from './configuration.ts';
import type { Effect } from './effects.ts';
import type { EffectList } from './emitting.ts';
import type { Occasion } from './occasion.ts';

/**
 * A correction as an area applies it to its user (ADR 0033). It is made of two folds of the user's events, one without the correction
 * and one with it.
 */
export interface AreaCorrection<State> {
  /** The stored state. */
  readonly before: State;
  /** The state after the fold with the correction. May be written. */
  readonly after: State;
  /** The rows that the fold without the correction adds to the area's tables; to tables that count, from the first corrected event on. */
  readonly taken: Rows;
  /** The rows that the fold with the correction adds. */
  readonly given: Rows;
  /** The occasion of the correction itself. The users area fills in its user. */
  readonly occasion: Occasion;
  readonly configuration: Configuration;
  /** Whether achievements stay completed that the corrected events would not have completed. */
  readonly keepsAchievements: boolean;
  readonly emitter: EffectList;
}

/** The changes of a correction to the tables of an area. */
export interface CorrectedRows {
  readonly added: Rows;
  /** Rows to delete, by the columns of `AreaTable.replacedBy`; a missing row does no harm. */
  readonly removed: Rows;
}

/** The user's values in runs of boards, collected by a fold of their events. */
export interface RunValues {
  /** The number of runs with a value. */
  readonly size: number;
  /** Applies the changes of one event of the user, given by its effects. */
  add(occasion: Occasion, configuration: Configuration, effects: readonly Effect[]): void;
  /** An independent copy. */
  clone(): RunValues;
}

/** A correction as boards apply it. */
export interface BoardsCorrection {
  readonly occasion: Occasion;
  /** The values in runs before and after the correction; the boards created both. */
  readonly before: RunValues;
  readonly after: RunValues;
  /** Whether final runs change, too. */
  readonly changesFinalRuns: boolean;
}

/** A user's value in a run, without and with a correction. */
export interface RunDifference {
  readonly board: string;
  /** First and last date; the last is null if the run is open. */
  readonly runStart: string;
  readonly runEnd: string | null;
  readonly isFinal: boolean;
  /** In millionths; null if there is no value. */
  readonly before: RunValue | null;
  readonly after: RunValue | null;
}

export interface RunValue {
  readonly value: bigint;
  readonly reachedAt: number;
}

/**
 * The difference between the rows of a fold with the correction and of one without: for tables that count, the rows to add; for tables
 * with `replacedBy`, the rows to delete and to insert. Other tables are left out.
 */
export function differenceOf(tables: readonly AreaTable[], taken: Rows, given: Rows): CorrectedRows {
  const added = new Map<string, readonly Row[]>();
  const removed = new Map<string, readonly Row[]>();
  for (const { name, negated, replacedBy } of tables) {
    const [before, after] = [taken.get(name) ?? [], given.get(name) ?? []];
    if (negated !== undefined) added.set(name, [...after, ...before.map(negated)]);
    if (replacedBy === undefined) continue;
    const [old, now] = [byKey(replacedBy, before), byKey(replacedBy, after)];
    const come = changedRows(replacedBy, before, [...now.values()]);
    const gone = [...old].filter(([key]) => !now.has(key));
    added.set(name, come);
    removed.set(
      name,
      gone.map(([, row]) => keyOf(replacedBy, row)),
    );
  }
  return { added, removed };
}

/** The rows in `given` that `taken` lacks or has with other values. @param columns identify a row */
export function changedRows(
  columns: readonly string[],
  taken: readonly Row[] = [],
  given: readonly Row[] = [],
): readonly Row[] {
  const old = byKey(columns, taken);
  return given.filter((row) => textOf(old.get(keyText(columns, row))) !== textOf(row));
}

/** The columns that identify a row. */
export const keyOf = (columns: readonly string[], row: Row): Row =>
  Object.fromEntries(columns.map((column) => [column, row[column]]));

/** {@link keyOf} as a text. */
export const keyText = (columns: readonly string[], row: Row): string =>
  columns.map((column) => String(row[column])).join('\0');

const byKey = (columns: readonly string[], rows: readonly Row[]): ReadonlyMap<string, Row> =>
  new Map(rows.map((row) => [keyText(columns, row), row]));

const textOf = (row: Row | undefined): string =>
  row === undefined ? '' : JSON.stringify(Object.entries(row).map(([column, value]) => [column, String(value)]));
