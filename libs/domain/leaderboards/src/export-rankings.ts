import { parseAmount } from '@laurel/amounts';
import type { LocalDate } from '@laurel/calendar';
import type { Configuration, SqlReader, BoardRanking } from '@laurel/kernel';
import { readRunStarts } from './stored-standings.ts';

export interface ExportedRun {
  readonly board: string;
  readonly runStart: LocalDate;
  readonly rankings: readonly BoardRanking[];
}

const SELECT_RANKINGS = `
select subject, value::text as value_text
from board_standings
where account = $1 and board = $2 and run_start = $3::date and value > 0
order by value desc, reached_at, reached_position, reached_ordinal, subject
limit $4`;

/**
 * The ranked rows of every run with ranked users: boards in configuration order, runs by start. Reads the database,
 * each run in one snapshot, and keeps one run in memory.
 */
export async function* exportRankings(
  sql: SqlReader,
  { account, leaderboards, names }: Configuration,
): AsyncGenerator<ExportedRun, void> {
  for (const { key: board, maxParticipants } of leaderboards) {
    const boardNumber = names.boards.numberOf(board);
    const [starts = new Set<LocalDate>()] = await readRunStarts(sql, [{ account, boardNumber }]);
    for (const runStart of [...starts].sort()) {
      const parameters = [account, boardNumber, runStart, maxParticipants];
      const rows = await sql.query<{ subject: string; value_text: string }>(SELECT_RANKINGS, parameters);
      if (rows.length > 0) yield { board, runStart, rankings: rows.map(ranked) };
    }
  }
}

function ranked(row: { subject: string; value_text: string }, place: number): BoardRanking {
  return { subject: Number(row.subject), rank: place + 1, value: parseAmount(row.value_text) };
}
