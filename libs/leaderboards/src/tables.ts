import { formatMillionths } from '@laurel/amounts';
import { formatDay, formatInstant } from '@laurel/calendar';
import type { AreaTable, Occasion, RankChanged, Row, RunKey } from '@laurel/contracts';
import type { Standing } from './rules/standing.ts';

export const STANDINGS = 'board_standings';
export const RANK_CHANGES = 'board_rank_changes';

/** In the order of migrations: standings are replaced, rank changes only appended. */
export const tables: readonly AreaTable[] = [
  {
    name: STANDINGS,
    onConflict: `on conflict (account, board, run_start, subject) do update set
      value = excluded.value, reached_at = excluded.reached_at,
      reached_position = excluded.reached_position, reached_ordinal = excluded.reached_ordinal`,
    // U+0000 occurs in no key.
    merge: {
      keyOf: (row) => `${row['account']}\0${row['board']}\0${row['run_start']}\0${row['subject']}`,
      combine: (_earlier, later) => later,
    },
  },
  { name: RANK_CHANGES, onConflict: '' },
];

export function standingRow(run: RunKey, standing: Standing): Row {
  return {
    account: run.account,
    board: run.board,
    run_start: run.start,
    subject: standing.subject,
    value: formatMillionths(standing.score),
    reached_at: formatInstant(standing.reachedAt),
    reached_position: standing.position,
    reached_ordinal: standing.ordinal,
  };
}

/** Not the value before: that is the one of the user's row before in the run. */
export function rankChangeRow({ account, subject, position }: Occasion, change: RankChanged): Row {
  const { board, run, at, ordinal, previousRank, rank, value } = change;
  return {
    account,
    board,
    run_start: formatDay(run),
    subject,
    position,
    ordinal,
    timestamp: formatInstant(at),
    previous_rank: previousRank,
    rank,
    value: formatMillionths(value),
  };
}
