import { type PlannedRun, runNameOf } from '@laurel/contributions';
import type { Contributions, Occasion, Row } from '@laurel/kernel';
import { isOnBoard, isSame, type Standing } from './rules/standing.ts';
import type { HeldRun } from './run-memory.ts';
import { finalRunChangeRow, runCountRow, standingRow } from './tables.ts';

/** The user whose standings move, and the record that moves them. */
export type MoveContext = Pick<Occasion, 'subject' | 'position'> & Pick<Contributions, 'recordedAt'>;

/** A user's earlier standings in some runs. */
export type StandingsBefore = ReadonlyMap<HeldRun, Standing | undefined>;

/** A standing for each run in which the user's standing moved, even to the same value. */
export function standingRows(before: StandingsBefore, { subject }: MoveContext): readonly Row[] {
  const rows: Row[] = [];
  for (const [{ key, standings }, earlier] of before) {
    const standing = standings.get(subject);
    if (standing !== undefined && !isSame(standing, earlier)) rows.push(standingRow(key, standing));
  }
  return rows;
}

/** A row for each run in which the user's standing moved although the run was final when the cause was recorded. */
export function finalRunChangeRows(
  before: StandingsBefore,
  { subject, recordedAt }: MoveContext,
  final: readonly PlannedRun[],
): readonly Row[] {
  if (final.length === 0 || recordedAt === null) return NO_CHANGES;
  const names = new Set(final.map(({ name }) => name));
  const rows: Row[] = [];
  for (const [{ key, standings }, earlier] of before) {
    const standing = standings.get(subject);
    if (standing !== undefined && !isSame(standing, earlier) && names.has(runNameOf(key)))
      rows.push(finalRunChangeRow(key, recordedAt));
  }
  return rows;
}

const NO_CHANGES: readonly Row[] = [];

/** A row for each run that the user joined or left. */
export function countRows(before: StandingsBefore, { subject }: MoveContext): readonly Row[] {
  const rows: Row[] = [];
  for (const [{ key, standings }, earlier] of before) {
    const change = Number(isOnBoard(standings.get(subject))) - Number(isOnBoard(earlier));
    if (change !== 0) rows.push(runCountRow(key, change));
  }
  return rows;
}
