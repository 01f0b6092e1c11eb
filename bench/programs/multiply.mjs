// Makes many users of few: node bench/programs/multiply.mjs DATA_DIR COPIES USERS. The service that owns the folder must be stopped; its
// users are user-0 … user-(USERS - 1). Copy k of user-n is user-(n + k × USERS), with a subject of its own, and what is stored of it
// is what is stored of user-n, so that each table grows as if all of them had been served. Written as a COPY would write it: without
// keys and indexes, which are made afterwards. Says what each table holds then, and how many entries each run of a board has.
import { startEmbeddedPostgres } from '@laurel/embedded-postgres';
import pg from 'pg';

const [dataDir, copies, users] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const SUBJECTS = 2n ** 52n;
/** Odd, with bits everywhere: the subjects of a copy lie among those of all others. */
const SPREAD = 0x9e3779b97f4a7c15n;
const SETTINGS = new Map([
  ['max_wal_size', '8GB'],
  ['maintenance_work_mem', '512MB'],
  ['autovacuum', 'off'],
]);

const server = await startEmbeddedPostgres({ dataDir, settings: SETTINGS });
const client = new pg.Client(server.connection);
await client.connect();
const rowsOf = async (sql, values = []) => (await client.query(sql, values)).rows;

const [{ head }] = await rowsOf('select position::float8 as head from log_head');
for (const table of await tablesOf()) await grow(table);
await client.query('vacuum (freeze, analyze)');
console.log(JSON.stringify({ rows: await counted(), runs: await runsOf() }));
await client.end();
await server.stop();

function tablesOf() {
  return rowsOf(`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns,
      array_agg(a.attname::text) filter (where a.atttypid = any('{int8,int4,numeric}'::regtype[])
        and not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary and a.attnum = any(i.indkey))) as numbers
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' group by c.oid order by 1`);
}

async function grow({ name, columns, numbers }) {
  if (columns.includes('subject')) return withoutKeys(name, () => copy(name, columns));
  // Counters of all users together.
  if (name.endsWith('_counts') && numbers !== null)
    await client.query(`update ${name} set ${numbers.map((column) => `${column} = ${column} * ${copies}`).join(', ')}`);
  if (columns.includes('position'))
    await client.query(`update ${name} set position = ${head * copies} where position = ${head}`);
}

async function copy(table, columns) {
  await client.query(`create temporary table sample as select * from ${table} where subject is not null`);
  const names = columns.map((column) => `"${column}"`).join(', ');
  for (let place = 1; place < copies; place++) {
    const values = columns.map((column) => valueOf(column, place)).join(', ');
    await client.query(`insert into ${table} (${names}) select ${values} from sample`);
  }
  await client.query('drop table sample');
}

/** What a copy has in this column. */
function valueOf(column, place) {
  if (column === 'subject') return `subject # ${(BigInt(place) * SPREAD) % SUBJECTS}`;
  if (column === 'user_id') return `'user-' || (substr(user_id, 6)::bigint + ${place * users})`;
  if (column === 'position' || column.endsWith('_position')) return `${column} + ${place * head}`;
  if (['event_id', 'key_hash', 'id'].includes(column)) return `md5(${column}::text || '${place}')::uuid`;
  return `"${column}"`;
}

async function withoutKeys(table, write) {
  const keys = await rowsOf(
    `select quote_ident(conname) as name, pg_get_constraintdef(oid) as definition from pg_constraint
     where conrelid = $1::regclass and contype in ('p', 'u')`,
    [table],
  );
  for (const { name } of keys) await client.query(`alter table ${table} drop constraint ${name}`);
  const indexes = await rowsOf(
    `select quote_ident(indexname) as name, indexdef as definition from pg_indexes
     where schemaname = 'public' and tablename = $1`,
    [table],
  );
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  await write();
  for (const { name, definition } of keys)
    await client.query(`alter table ${table} add constraint ${name} ${definition}`);
  for (const { definition } of indexes) await client.query(definition);
}

async function counted() {
  const counts = {};
  for (const { name } of await tablesOf()) {
    const [{ rows }] = await rowsOf(`select count(*)::float8 as rows from ${name}`);
    if (rows > 0) counts[name] = rows;
  }
  return counts;
}

function runsOf() {
  return rowsOf(`
    select account, board, run_start::text as start, count(*)::float8 as entries
    from board_standings group by 1, 2, 3 order by 1, 2, 3`);
}
