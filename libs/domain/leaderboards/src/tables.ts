import { formatMillionths } from '@laurel/amounts';
import { formatDay, formatInstant, type Instant } from '@laurel/calendar';
import type { AreaTable, ConfiguredNames, Occasion, RankChanged, Row, RunKey } from '@laurel/kernel';
import { counterTable } from '@laurel/ports';
import type { Standing } from './rules/standing.ts';

export const STANDINGS = 'board_standings';
export const RANK_CHANGES = 'rank_changes';
/**
 * Written only by events that change the top of a run, only if outcomes need it, and deleted once the outcomes are
 * made.
 */
export const RUN_TOPS = 'run_tops';
export const RUN_COUNTS = 'board_run_counts';
export const FINAL_RUN_CHANGES = 'final_run_changes';

/**
 * For each run, the instant of the newest change that was recorded when the run was final, in milliseconds. Each key
 * has one row, so summing the counter yields the instant.
 */
const finalRunChanges: AreaTable = {
  name: FINAL_RUN_CHANGES,
  onConflict: `on conflict (account, board, run_start) do update set
    changed_at = greatest(${FINAL_RUN_CHANGES}.changed_at, excluded.changed_at)`,
  merge: {
    keyOf: (row) => `${row['account']}\0${row['board']}\0${row['run_start']}`,
    combine: (earlier, later) =>
      (earlier['changed_at'] as number) < (later['changed_at'] as number) ? later : earlier,
  },
  counter: { key: ['account', 'board', 'run_start'], numbers: ['changed_at'] },
  digest: ({ name }) => `
    select row(${name('boards', 'board')}, run_start, changed_at)::text as value from ${FINAL_RUN_CHANGES} where account = $1`,
};

/** The number of users with a value above 0 in each run. */
const runCounts: AreaTable = {
  ...counterTable({ name: RUN_COUNTS, key: ['account', 'board', 'run_start'], counts: ['participants'] }),
  digest: ({ name }) => `
    select row(${name('boards', 'board')}, run_start, sum(participants))::text as value from ${RUN_COUNTS}
    where account = $1 group by board, run_start having sum(participants) <> 0`,
};

/** In the order of migrations: standings are replaced, rank changes and run tops only appended, participants counted. */
export const tables: readonly AreaTable[] = [
  {
    name: STANDINGS,
    digest: ({ directory, name }) => `
      select row(s.account, ${name('boards', 's.board')}, run_start, u.user_id, value, reached_at, reached_position, reached_ordinal)::text
        as value
      from board_standings s left join ${directory} u using (account, subject) where s.account = $1`,
    onConflict: `on conflict (account, board, run_start, subject) do update set
      value = excluded.value, reached_at = excluded.reached_at,
      reached_position = excluded.reached_position, reached_ordinal = excluded.reached_ordinal`,
    // Keys never contain U+0000.
    merge: {
      keyOf: (row) => `${row['account']}\0${row['board']}\0${row['run_start']}\0${row['subject']}`,
      combine: (_earlier, later) => later,
    },
  },
  {
    name: RANK_CHANGES,
    onConflict: '',
    addedLater: ['participants'],
    digest: ({ ofUsers, name }) => `
      select row($1::text, ${name('boards', 'board')}, run_start, user_id, position, ordinal, "timestamp",
        nullif(previous_rank, 0), nullif(rank, 0), value)::text as value
      from rank_changes ${ofUsers}`,
  },
  {
    name: RUN_TOPS,
    onConflict: '',
    isTransient: true,
  },
  runCounts,
  finalRunChanges,
];

/** @param change increase of the number of users with a value above 0 */
export const runCountRow = ({ account, boardNumber, start }: RunKey, change: number): Row => ({
  account,
  board: boardNumber,
  run_start: start,
  partition: 0,
  participants: change,
});

export const finalRunChangeRow = ({ account, boardNumber, start }: RunKey, at: Instant): Row => ({
  account,
  board: boardNumber,
  run_start: start,
  changed_at: at,
});

export function standingRow(run: RunKey, standing: Standing): Row {
  return {
    account: run.account,
    board: run.boardNumber,
    run_start: run.start,
    subject: standing.subject,
    value: formatMillionths(standing.score),
    reached_at: formatInstant(standing.reachedAt),
    reached_position: standing.position,
    reached_ordinal: standing.ordinal,
  };
}

/** The previous value is not stored: it is the value of the user's previous row in the run. Rank 0 means not ranked. */
export function rankChangeRow(
  { subject, position }: Pick<Occasion, 'subject' | 'position'>,
  change: RankChanged,
  { boards }: ConfiguredNames,
): Row {
  const { board, run, at, ordinal, previousRank, rank, participants, value } = change;
  return {
    subject,
    position,
    timestamp: formatInstant(at),
    run_start: formatDay(run),
    previous_rank: previousRank ?? NOT_RANKED,
    rank: rank ?? NOT_RANKED,
    ordinal,
    board: boards.numberOf(board),
    value: formatMillionths(value),
    participants,
  };
}

/** @param top the first users of the run after the event, and one more, best first */
export const runTopRow = (
  { subject, position }: Pick<Occasion, 'subject' | 'position'>,
  { boardNumber, start }: RunKey,
  top: readonly Standing[],
): Row => ({
  subject,
  position,
  run_start: start,
  board: boardNumber,
  top: top.map((standing) => [standing.subject, formatMillionths(standing.score)]),
});

/** Instead of null, which would take eight bytes of the row. */
const NOT_RANKED = 0;

/** See `UserArea.readableRows`. */
export const readableRows = [
  'select run_start::text as date, reached_at as instant from board_standings order by account limit 1',
  'select run_start::text as date, "timestamp" as instant from rank_changes order by subject limit 1',
];
