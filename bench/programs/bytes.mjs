// What a data folder holds: node bench/programs/bytes.mjs DATA_DIR. Runs in the checkout of any commit. The service that owns the folder
// must be stopped.
import { startEmbeddedPostgres } from '@laurel/embedded-postgres';
import pg from 'pg';

const server = await startEmbeddedPostgres({ dataDir: process.argv[2] });
const client = new pg.Client(server.connection);
await client.connect();
const { rows } = await client.query(`
  select relname as table, pg_total_relation_size(c.oid)::float8 as bytes
  from pg_class c join pg_namespace n on n.oid = relnamespace
  where relkind = 'r' and nspname not in ('pg_catalog', 'information_schema') order by bytes desc`);
await client.end();
await server.stop();
console.log(JSON.stringify(Object.fromEntries(rows.map(({ table, bytes }) => [table, bytes]))));
