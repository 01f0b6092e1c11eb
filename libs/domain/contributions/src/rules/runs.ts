import { addDays, addMonths, dayAt, daysBetween, type Day, type Instant, type LocalDate } from '@laurel/calendar';
import type { LeaderboardDefinition, RunTurn, BoardRun } from '@laurel/kernel';

/** The fields of a board that define its runs. */
export type BoardDates = Pick<LeaderboardDefinition, 'start' | 'end' | 'run'>;

const LAST_DATE: LocalDate = '9999-12-31';
const DAY_MS = 86_400_000;
/** The westernmost clock is 12 hours behind UTC, so a date has ended in every zone 12 hours after its end in UTC. */
const FINAL_AFTER_MS = 12 * 3_600_000;
/** The easternmost clock is 14 hours ahead of UTC. */
const EASTERNMOST_MS = 14 * 3_600_000;

/** The days that any clock shows at an instant. Runs that contain none of them are final. */
export function daysOnAnyClock(at: Instant): readonly Day[] {
  const first = dayAt(at - FINAL_AFTER_MS, 'UTC');
  const last = dayAt(at + EASTERNMOST_MS, 'UTC');
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/**
 * The run that contains `date`, or null outside the board's dates, both inclusive (specification, section 7). A run
 * ends on the day before the next one starts, and at the latest with the board; `end` is null if the run has no end.
 */
export function runHolding(board: BoardDates, date: LocalDate): BoardRun | null {
  if (date < board.start || (board.end !== null && date > board.end)) return null;
  const index = runIndex(board, date);
  return { start: startOfRun(board, index) ?? board.start, end: endOfRun(board, index) };
}

/** The run that contains the board's last date, or null for a board without end. */
export function lastRun(board: BoardDates): BoardRun | null {
  return board.end === null ? null : runHolding(board, board.end);
}

/**
 * Whether `end` has passed in every zone, so that live events can no longer change the run. A run without an end is
 * never final.
 */
export function isFinal(end: LocalDate | null, at: Instant): boolean {
  return at >= finalFrom(end);
}

/** The first instant at which a run with this end is final; Infinity if never. */
export const finalFrom = (end: LocalDate | null): Instant =>
  end === null ? Infinity : utcMidnight(end) + DAY_MS + FINAL_AFTER_MS;

/** The runs that have begun on some clock, newest first. Only runs that start before `before`; null for all. */
export function begunRuns(
  board: BoardDates,
  at: Instant,
  before: LocalDate | null,
  limit: number,
): readonly BoardRun[] {
  const runs: BoardRun[] = [];
  if (before !== null && before <= board.start) return runs;
  const date = before === null ? utcDate(at + EASTERNMOST_MS) : addDays(before, -1);
  let run = runHolding(board, board.end !== null && date > board.end ? board.end : date);
  while (run !== null && runs.length < limit) {
    runs.push(run);
    run = run.start > board.start ? runHolding(board, addDays(run.start, -1)) : null;
  }
  return runs;
}

/** The last final run, or null if there is none. */
export function newestFinalRun(board: BoardDates, at: Instant): BoardRun | null {
  const newest = currentRun(board, at);
  if (newest === null || isFinal(newest.end, at)) return newest;
  for (let run: BoardRun | null = newest; run !== null;) {
    run = run.start > board.start ? runHolding(board, addDays(run.start, -1)) : null;
    if (run !== null && isFinal(run.end, at)) return run;
  }
  return null;
}

/**
 * The first runs that began, or became final, after `after` and up to `upTo`, oldest first. A run begins with its first date in UTC; a run
 * without an end never becomes final.
 */
export function runTurns(
  board: BoardDates,
  kind: RunTurn['kind'],
  after: Instant,
  upTo: Instant,
  limit: number,
): readonly RunTurn[] {
  const turns: RunTurn[] = [];
  const from = utcDate(kind === 'started' ? after : after - DAY_MS - FINAL_AFTER_MS);
  let run = runHolding(board, from < board.start ? board.start : from);
  while (run !== null && turns.length < limit) {
    const at = kind === 'started' ? utcMidnight(run.start) : finalFrom(run.end);
    if (at > upTo) break;
    if (at > after) turns.push({ kind, run: run.start, at });
    run = run.end === null ? null : runHolding(board, addDays(run.end, 1));
  }
  return turns;
}

export function statusOf(board: BoardDates, at: Instant): 'scheduled' | 'active' | 'finished' {
  if (at < utcMidnight(board.start)) return 'scheduled';
  return isFinal(board.end, at) ? 'finished' : 'active';
}

/**
 * The run that is read by default: the one with the current UTC date or, after the board's end, the last one. null
 * before the board's start.
 */
export function currentRun(board: BoardDates, at: Instant): BoardRun | null {
  const today = utcDate(at);
  return board.end !== null && today > board.end ? lastRun(board) : runHolding(board, today);
}

function runIndex(board: BoardDates, date: LocalDate): number {
  if (board.run === null) return 0;
  const { unit, interval } = board.run;
  if (unit === 'day') return Math.floor(daysBetween(board.start, date) / interval);
  const months = unit === 'year' ? 12 * interval : interval;
  const index = Math.floor((monthNumber(date) - monthNumber(board.start)) / months);
  // A run may start in the same month as `date`, but later.
  return index > 0 && (startOfRun(board, index) ?? LAST_DATE) > date ? index - 1 : index;
}

/** First date of the run with that number, or null beyond the last date that can be written. */
function startOfRun(board: BoardDates, index: number): LocalDate | null {
  if (board.run === null) return index === 0 ? board.start : null;
  const n = index * board.run.interval;
  switch (board.run.unit) {
    case 'day':
      return n > daysBetween(board.start, LAST_DATE) ? null : addDays(board.start, n);
    case 'month':
      return monthsOn(board.start, n);
    case 'year':
      return monthsOn(board.start, 12 * n);
  }
}

function monthsOn(start: LocalDate, n: number): LocalDate | null {
  return monthNumber(start) + n > monthNumber(LAST_DATE) ? null : addMonths(start, n);
}

function endOfRun(board: BoardDates, index: number): LocalDate | null {
  const next = startOfRun(board, index + 1);
  const end = next === null ? null : addDays(next, -1);
  return end === null || (board.end !== null && board.end < end) ? board.end : end;
}

function monthNumber(date: LocalDate): number {
  return Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;
}

function utcDate(at: Instant): LocalDate {
  return new Date(at).toISOString().slice(0, 10);
}

function utcMidnight(date: LocalDate): Instant {
  return Date.parse(`${date}T00:00:00Z`);
}
