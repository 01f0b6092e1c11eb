import type { SqlReader, Subject } from '@laurel/kernel';
import { concerns } from './migrations.ts';

/** Sequences that one statement looks at. */
const WINDOW = 10_000;
/** Bodies in memory at a time: one may list a hundred rankings. */
const PAGE = 200;

const KEPT = 'select deleted_to, sequence from outcome_cursors where account = $1';

const OF_USER = `
select sequence, body from outcomes t
where account = $1 and sequence > $2 and sequence <= $3 and ${concerns('array[$4::bigint]')} order by sequence limit $5`;

/** The bodies of kept outcomes that belong to the user or name them, in order of sequence, up to the newest at the start. */
export async function* outcomesOfUser(
  sql: SqlReader,
  account: string,
  subject: Subject,
  pageRows = PAGE,
): AsyncGenerator<readonly string[], void> {
  const [kept] = await sql.query<{ deleted_to: string; sequence: string }>(KEPT, [account]);
  const last = Number(kept?.sequence ?? 0);
  for (let after = Number(kept?.deleted_to ?? 0); after < last;) {
    const upTo = Math.min(after + WINDOW, last);
    const asked = [account, after, upTo, subject, pageRows];
    const rows = await sql.query<{ sequence: string; body: string }>(OF_USER, asked);
    yield rows.map(({ body }) => body);
    after = rows.length < pageRows ? upTo : Number(rows.at(-1)?.sequence);
  }
}
