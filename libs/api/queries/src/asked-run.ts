import { localDate, type Instant, type LocalDate } from '@laurel/calendar';
import type { LeaderboardDefinition, BoardRun } from '@laurel/kernel';
import { ProblemError, problemOf } from '@laurel/schemas';
import type { QueryPorts } from './ports.ts';
import type { QueryParameters } from './query-parameters.ts';

/**
 * The run that the parameter `run` asks for, or by default that of `today` (null: the UTC date), or of a board that is over its last.
 * null: the board has not begun and no run was asked for, so there is nothing to show yet.
 *
 * @throws ProblemError 404 if there is no run on the date asked for.
 */
export function askedRun(
  ...[ports, account, board, parameters, at, today]: Parameters<typeof runAsked>
): BoardRun | null {
  const run = runAsked(ports, account, board, parameters, at, today);
  if (run === 'outside_dates') throw new ProblemError(problemOf('unknown_run', 'There is no run on this date.'));
  return run;
}

/** Likewise, but says so if the date asked for lies outside of the board's dates. */
export function runAsked(
  { leaderboards }: Pick<QueryPorts, 'leaderboards'>,
  account: string,
  board: LeaderboardDefinition,
  parameters: QueryParameters,
  at: Instant,
  today: LocalDate | null,
): BoardRun | null | 'outside_dates' {
  const find = (date: LocalDate | null) => leaderboards.run(account, board.key, at, date);
  const asked = parameters.date('run');
  if (asked === null) return find(today) ?? (isOver(board, at, today) ? find(board.end) : null);
  return find(asked) ?? 'outside_dates';
}

/** Behind its last date, also in the hours before it is final. */
const isOver = (board: LeaderboardDefinition, at: Instant, today: LocalDate | null): boolean =>
  board.end !== null && board.end < (today ?? localDate(at, 'UTC'));
