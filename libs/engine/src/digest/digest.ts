import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { AreaTable, ConfiguredNames, DigestSql, NamedKind } from '@laurel/kernel';
import type { LogSessionConfig } from '@laurel/event-store';
import type { UserAreaName } from '../folding/document.ts';

type DigestedTable = Pick<AreaTable, 'name' | 'digest'>;

/** The source of one line of a digest. */
export interface DigestedArea {
  /** The name at the beginning of the line. */
  readonly name: string;
  /** The area's column of `user_states`, or null if the area has none. */
  readonly column: UserAreaName | null;
  /** See `UserArea.digest`. */
  readonly value?: string;
  readonly tables: readonly DigestedTable[];
  /** The schema of the area's tables. Without it, the search path decides. */
  readonly schema?: string;
}

export interface Digest {
  /** Log position at which the tables were read. */
  readonly position: number;
  readonly lines: readonly { readonly name: string; readonly rows: number; readonly digest: string }[];
}

/** An account and the areas whose values are hashed. */
interface DigestRequest {
  readonly account: string;
  readonly areas: readonly DigestedArea[];
  /** The names of the account's configuration: values are hashed by name, not by number. */
  readonly names: ConfiguredNames;
  /** Default: the tables of the standalone. */
  readonly source?: DigestSource;
}

/**
 * Hashes every stored value of an account that answers are made of, one line per area. The due instants of users are
 * left out because they are computed from these values. All tables are read in one snapshot; equal digests mean equal
 * values. The hashes of the rows are summed, so the order of writing does not matter and nothing has to be sorted.
 * @throws Error of the driver if the database cannot be reached.
 */
export async function digestOf(
  config: LogSessionConfig,
  { account, areas, names, source: { positionOf, directory } = STANDALONE }: DigestRequest,
): Promise<Digest> {
  const client = new config.Client({
    ...config,
    application_name: 'laurel-digest',
    connectionTimeoutMillis: 5_000,
    query_timeout: LONGEST_STATEMENT_MS,
    keepAlive: true,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    // Lock before reading anything: a rebuild that takes over in between would leave this snapshot with empty tables.
    await client.query(`lock table ${lockedTables(areas).join(', ')} in access share mode`);
    const { rows } = await client.query<{ position: string }>(positionOf);
    const lines = [];
    const given = [account, JSON.stringify(listed(names))];
    for (const area of areas) lines.push(await lineOf(client, given, area, directory));
    return { position: Number(rows[0]?.position ?? 0), lines };
  } finally {
    await client.end();
  }
}

/** Where a digest finds what is not in the schema of an area. */
interface DigestSource {
  /** SQL that answers the position of the log. */
  readonly positionOf: string;
  /** The directory's table. Values are hashed with user ids, which are the same in every database; subjects are not. */
  readonly directory: string;
}

const STANDALONE: DigestSource = { positionOf: 'select position from log_head', directory: 'subjects' };

/** A server that needs longer for one table counts as unreachable. */
const LONGEST_STATEMENT_MS = 15 * 60_000;

/** Sorted, so that two sessions that lock these tables never deadlock. */
const lockedTables = (areas: readonly DigestedArea[]): readonly string[] =>
  [
    ...new Set(
      areas.flatMap(({ schema, column, tables }) =>
        [...(column === null ? [] : ['user_states']), ...tables.map(({ name }) => name)].map((table) =>
          schema === undefined ? table : `${schema}.${table}`,
        ),
      ),
    ),
  ].sort();

/** Names of each kind, in the order of their numbers. */
const listed = ({
  metrics,
  systems,
  triggers,
  boosts,
  achievements,
  boards,
}: ConfiguredNames): Readonly<Record<NamedKind, readonly string[]>> => ({
  metrics: metrics.all,
  systems: systems.all,
  triggers: triggers.all,
  boosts: boosts.all,
  achievements: achievements.all,
  boards: boards.all,
});

const digestSql = (directory: string): DigestSql => ({
  directory,
  ofUsers: `left join ${directory} u using (subject) where coalesce(u.account, $1) = $1`,
  name: (kind, column) => `($2::jsonb -> '${kind}' ->> (${column} - 1))`,
});

async function lineOf(
  client: pg.Client,
  given: readonly string[],
  { name, column, value, tables, schema }: DigestedArea,
  directory: string,
) {
  if (schema !== undefined) await client.query(`set local search_path to ${schema}`);
  const hash = createHash('sha256');
  let count = 0;
  const parts =
    column === null ? [] : [{ part: `user_states.${column}`, sql: sumOf(STATES(directory, column, value)) }];
  for (const table of tables)
    parts.push({
      part: table.name,
      sql: sumOf(table.digest?.(digestSql(directory)) ?? (await rowsOf(client, table.name, directory))),
    });
  for (const { part, sql } of parts) {
    const { rows } = await client.query<SumRow>(sql, [...given]);
    const [{ n, high, low } = NOTHING] = rows;
    count += Number(n);
    hash.update(`${part}\n${n}\n${high}\n${low}\n`);
  }
  return { name, rows: count, digest: hash.digest('hex') };
}

interface SumRow {
  readonly n: string;
  readonly high: string;
  readonly low: string;
}
const NOTHING: SumRow = { n: '0', high: '0', low: '0' };

const STATES = (directory: string, column: UserAreaName, value: string = column): string =>
  `select row(u.user_id, ${value})::text as value
   from user_states left join ${directory} u using (account, subject) where account = $1 and ${column} is not null`;

/** The rows, with the user's id in place of the subject. */
async function rowsOf(client: pg.Client, table: string, directory: string): Promise<string> {
  const { rows } = await client.query<{ column: string }>(
    `select quote_ident(attname) as column from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
    [table],
  );
  const columns = rows.map(({ column }) => column);
  if (!columns.includes('subject')) return `select t::text as value from ${table} t where account = $1`;
  const values = columns.map((column) => (column === 'subject' ? 'u.user_id' : `t.${column}`));
  return `select row(${values.join(', ')})::text as value
    from ${table} t left join ${directory} u on u.account = t.account and u.subject = t.subject where t.account = $1`;
}

/**
 * Takes both halves of each row's MD5 as numbers and sums each half. $1: the account. $2: the names, which only some
 * queries use.
 */
const sumOf = (values: string): string => `
with given as (select $2::jsonb as names)
select count(*) as n, coalesce(sum(high), 0) as high, coalesce(sum(low), 0) as low
from (
  select ('x' || substr(hash, 1, 16))::bit(64)::bigint as high, ('x' || substr(hash, 17))::bit(64)::bigint as low
  from (select md5(value) as hash from (${values}) v) h
) halves`;
