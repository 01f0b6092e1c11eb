import { exactOf, parseAmount } from '@laurel/amounts';
import { parseDay, type LocalDate } from '@laurel/calendar';
import type { RankChanged, SqlReader, Subject } from '@laurel/contracts';

/** A run in which a record may have moved a user. */
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
  readonly value: string;
}

/** One probe of the index `rank_changes_run` for each run. */
const AT = `
select q.place, c."timestamp", c.ordinal, c.previous_rank, c.rank, c.value::text
from unnest($1::bigint[], $2::integer[], $3::date[]) with ordinality as q (subject, board, run_start, place)
cross join lateral (
  select * from rank_changes
  where subject = q.subject and board = q.board and run_start = q.run_start and position >> 10 = $4::bigint >> 10 and position = $4
) c
order by q.place, c.ordinal`;

/** What the record at a position changed in these runs, by user. `previousValue` is not stored with it, and null here. */
export async function rankChangesAt(
  sql: SqlReader,
  position: number,
  runs: readonly RunOfUser[],
): Promise<ReadonlyMap<Subject, readonly RankChanged[]>> {
  const columns = [
    runs.map(({ subject }) => subject),
    runs.map((run) => run.boardNumber),
    runs.map((run) => run.start),
  ];
  const rows = runs.length === 0 ? [] : await sql.query<Row>(AT, [...columns, position]);
  const changes = new Map<Subject, RankChanged[]>();
  for (const { place, timestamp, ordinal, previous_rank, rank, value } of rows) {
    const { subject, board, start } = runs[Number(place) - 1] as RunOfUser;
    const own = changes.get(subject) ?? [];
    changes.set(subject, own);
    own.push({
      ...{ type: 'RankChanged', board, run: parseDay(start), at: timestamp.getTime(), ordinal, due: false },
      ...{ previousRank: previous_rank || null, rank: rank || null, previousValue: null },
      value: exactOf(parseAmount(value)),
    });
  }
  return changes;
}
