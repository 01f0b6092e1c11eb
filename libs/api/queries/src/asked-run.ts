import { localDate, type Instant, type LocalDate } from '@laurel/calendar';
import type { LeaderboardDefinition, BoardRun } from '@laurel/kernel';
import { ProblemError, problemOf } from '@laurel/schemas';
import type { QueryPorts } from './ports.ts';
import type { QueryParameters } from './query-parameters.ts';

/** A board at an instant. */
interface BoardAt {
  readonly ports: Pick<QueryPorts, 'leaderboards'>;
  readonly account: string;
  readonly board: LeaderboardDefinition;
  readonly at: Instant;
  /** null for the UTC date. */
  readonly today: LocalDate | null;
}

/**
 * The run that the parameter `run` names. Without the parameter, the run of `today` or, after the board's end, the last
 * run. null if no run is named and the board has not begun: there is nothing to show yet.
 *
 * @throws ProblemError 404 if there is no run on the named date.
 */
export function askedRun(board: BoardAt, parameters: QueryParameters): BoardRun | null {
  const run = runAsked(board, parameters);
  if (run === 'outside_dates') throw new ProblemError(problemOf('unknown_run', 'There is no run on this date.'));
  return run;
}

/** Like {@link askedRun}, but returns `outside_dates` if the board has no run on the named date. */
export function runAsked(
  { ports, account, board, at, today }: BoardAt,
  parameters: QueryParameters,
): BoardRun | null | 'outside_dates' {
  const find = (date: LocalDate | null) => ports.leaderboards.run(account, board.key, at, date);
  const named = parameters.date('run');
  if (named === null) return find(today) ?? (isOver(board, at, today) ? find(board.end) : null);
  return find(named) ?? 'outside_dates';
}

/** Whether the board's last date has passed. Its run may not be final yet. */
const isOver = (board: LeaderboardDefinition, at: Instant, today: LocalDate | null): boolean =>
  board.end !== null && board.end < (today ?? localDate(at, 'UTC'));
