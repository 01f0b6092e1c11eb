import type { AreaTable, Row, Rows } from './area.ts';
import type { Configuration } from './configuration.ts';
import type { Effect } from './effects.ts';
import type { EffectList } from './emitting.ts';
import type { Occasion } from './occasion.ts';

/**
 * A correction as it is applied to one area of its user (ADR 0033). Two folds of the user's events stand behind it: one as the user was
 * before, one with the correction.
 */
export interface AreaCorrection<State> {
  /** As it is stored. */
  readonly before: State;
  /** As the fold with the correction leaves it. May be written. */
  readonly after: State;
  /** What the fold without the correction adds to the area's tables: to those that count, from the first corrected event on. */
  readonly taken: Rows;
  /** Likewise the fold with it. */
  readonly given: Rows;
  /** The correction's own. The users area fills in its user. */
  readonly occasion: Occasion;
  readonly configuration: Configuration;
  /** Achievements that would not have been completed stay. */
  readonly keepsAchievements: boolean;
  readonly sink: EffectList;
}

/** What a correction changes in the tables of an area. */
export interface CorrectedRows {
  readonly added: Rows;
  /** Rows that go, by the columns of `AreaTable.replacedBy`; one that is not there does no harm. */
  readonly removed: Rows;
}

/** The user's values in runs of boards, as a fold of their events gives them. */
export interface RunValues {
  /** In how many runs there is one. */
  readonly size: number;
  /** Takes what an event of the user changes, by its effects. */
  add(occasion: Occasion, configuration: Configuration, effects: readonly Effect[]): void;
  /** A copy that goes on by itself. */
  clone(): RunValues;
}

/** A correction as boards apply it. */
export interface BoardsCorrection {
  readonly occasion: Occasion;
  /** As the boards gave them out, both. */
  readonly before: RunValues;
  readonly after: RunValues;
  /** Also in runs that are final. */
  readonly changesFinalRuns: boolean;
}

/** What a user's value in a run is, without and with a correction. */
export interface RunDifference {
  readonly board: string;
  /** First and last date; null: open end. */
  readonly runStart: string;
  readonly runEnd: string | null;
  readonly isFinal: boolean;
  /** null: none. Millionths. */
  readonly before: RunValue | null;
  readonly after: RunValue | null;
}

export interface RunValue {
  readonly value: bigint;
  readonly reachedAt: number;
}

/**
 * How rows with a fold's correction differ from those without: of tables that count, what is to be added; of those with
 * `replacedBy`, which rows go and which come. Others are left out.
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

/** Those with a fold's correction that are other than those without it, or that these lack. @param columns that name a row */
export function changedRows(
  columns: readonly string[],
  taken: readonly Row[] = [],
  given: readonly Row[] = [],
): readonly Row[] {
  const old = byKey(columns, taken);
  return given.filter((row) => textOf(old.get(keyText(columns, row))) !== textOf(row));
}

/** The columns of a row that name it. */
export const keyOf = (columns: readonly string[], row: Row): Row =>
  Object.fromEntries(columns.map((column) => [column, row[column]]));

/** {@link keyOf} as a text. */
export const keyText = (columns: readonly string[], row: Row): string =>
  columns.map((column) => String(row[column])).join('\0');

const byKey = (columns: readonly string[], rows: readonly Row[]): ReadonlyMap<string, Row> =>
  new Map(rows.map((row) => [keyText(columns, row), row]));

const textOf = (row: Row | undefined): string =>
  row === undefined ? '' : JSON.stringify(Object.entries(row).map(([column, value]) => [column, String(value)]));
