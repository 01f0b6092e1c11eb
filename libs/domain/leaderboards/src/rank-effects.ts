import { exactOf, parseAmount } from '@laurel/amounts';
import { parseDay, type LocalDate } from '@laurel/calendar';
import type { ConfiguredNames, RankChanged, SqlReader, Subject } from '@laurel/kernel';

/** A run in which a record may have changed a user's rank. */
export interface RunOfUser {
  readonly subject: Subject;
  readonly board: string;
  readonly boardNumber: number;
  readonly start: LocalDate;
}

interface Row {
  readonly place: string;
  readonly timestamp: Date;
  readonly ordinal: number;
  readonly previous_rank: number;
  readonly rank: number;
  readonly participants: number | null;
  readonly value: string;
}

/** Probes the index `rank_changes_run` once for each run. */
const AT = `
select q.place, c."timestamp", c.ordinal, c.previous_rank, c.rank, c.participants, c.value::text
from unnest($1::bigint[], $2::integer[], $3::date[]) with ordinality as q (subject, board, run_start, place)
cross join lateral (
  select * from rank_changes
  where subject = q.subject and board = q.board and run_start = q.run_start and position >> 10 = $4::bigint >> 10 and position = $4
) c
order by q.place, c.ordinal`;

/** The rank changes of the record at a position in these runs, by user. `previousValue` is not stored, so it is null. */
export async function rankChangesAt(
  sql: SqlReader,
  position: number,
  runs: readonly RunOfUser[],
): Promise<ReadonlyMap<Subject, readonly RankChanged[]>> {
  const rows = runs.length === 0 ? [] : await sql.query<Row>(AT, [...columnsOf(runs), position]);
  const changes = new Map<Subject, RankChanged[]>();
  for (const row of rows) {
    const { subject, board, start } = runs[Number(row.place) - 1] as RunOfUser;
    const own = changes.get(subject) ?? [];
    changes.set(subject, own);
    own.push({ ...changeIn(row), board, run: parseDay(start) });
  }
  return changes;
}

const columnsOf = (runs: readonly RunOfUser[]) => [
  runs.map(({ subject }) => subject),
  runs.map(({ boardNumber }) => boardNumber),
  runs.map(({ start }) => start),
];

const changeIn = ({ timestamp, ordinal, previous_rank, rank, participants, value }: Omit<Row, 'place'>) => ({
  type: 'RankChanged' as const,
  at: timestamp.getTime(),
  ordinal,
  due: false,
  previousRank: previous_rank || null,
  rank: rank || null,
  participants,
  previousValue: null,
  value: exactOf(parseAmount(value)),
});

/** Uses the user's entries of the index `rank_changes_run`. */
const OF_USER_AT = `
select board, run_start::text, "timestamp", ordinal, previous_rank, rank, participants, value::text, count(*) over () as changes
from rank_changes where subject = $1 and position >> 10 = $2::bigint >> 10 and position = $2
order by board, rank_changes.run_start, ordinal limit $3`;

/** The rank changes of a correction. It may change runs on days without any of its effects, and boards that its version no longer has. */
export async function rankChangesOfCorrection(
  sql: SqlReader,
  { subject, position }: { readonly subject: Subject; readonly position: number },
  { boards }: Pick<ConfiguredNames, 'boards'>,
  most: number,
): Promise<{ readonly changes: readonly RankChanged[]; readonly leftOut: number }> {
  type Own = Omit<Row, 'place'> & { readonly board: number; readonly run_start: LocalDate; readonly changes: string };
  const rows = await sql.query<Own>(OF_USER_AT, [subject, position, most]);
  const changes = rows.map((row): RankChanged => {
    return { ...changeIn(row), board: boards.nameOf(row.board), run: parseDay(row.run_start) };
  });
  return { changes, leftOut: Number(rows[0]?.changes ?? 0) - rows.length };
}

/**
 * Probes the index `rank_changes_run` once for each run, and a second time, backwards, for the value before a change.
 */
const OF_RECORDS = `
select q.place, c."timestamp", c.ordinal, c.previous_rank, c.rank, c.participants, c.value::text, before.value::text as previous_value
from unnest($1::bigint[], $2::integer[], $3::date[], $4::bigint[]) with ordinality as q (subject, board, run_start, position, place)
cross join lateral (
  select * from rank_changes
  where subject = q.subject and board = q.board and run_start = q.run_start and position >> 10 = q.position >> 10 and position = q.position
) c
left join lateral (
  select value from rank_changes
  where subject = q.subject and board = q.board and run_start = q.run_start and position >> 10 <= q.position >> 10 and position < q.position
  order by position >> 10 desc, position desc, ordinal desc limit 1
) before on true
order by q.place, c.ordinal`;

/** A rank change of a record, with the index of the requested run. */
export interface RankChangeOfRecord extends Omit<RankChanged, 'board' | 'run'> {
  readonly asked: number;
}

/**
 * The rank changes of records in these runs, in the order of the runs in `asked`, then of their causes. One statement.
 */
export async function rankChangesOfRecords(
  sql: SqlReader,
  runs: readonly (RunOfUser & { readonly position: number })[],
): Promise<readonly RankChangeOfRecord[]> {
  if (runs.length === 0) return [];
  const columns = [...columnsOf(runs), runs.map(({ position }) => position)];
  const rows = await sql.query<Row & { readonly previous_value: string | null }>(OF_RECORDS, columns);
  return rows.map((row, index) => {
    const before = rows[index - 1];
    const previous = before?.place === row.place ? before.value : row.previous_value;
    const previousValue = previous === null ? null : exactOf(parseAmount(previous));
    return { ...changeIn(row), asked: Number(row.place) - 1, previousValue };
  });
}
