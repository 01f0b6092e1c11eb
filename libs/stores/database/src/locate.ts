import { GATEWAYS } from '@laurel/ports';
import pg from 'pg';
import { DEFAULT_SCHEMA, StartError, type ConnectionOptions } from './connection.ts';
import { assertSessionsAreKept } from './assert-sessions-are-kept.ts';
import { connectAsTheRoleDoes } from './connect-as-the-role-does.ts';

/** Schemas whose logs belong to the distributed topology, where processes name their schemas themselves. */
const OTHER_LOGS = GATEWAYS.map(({ schema }) => schema);

/**
 * Adds the schema of the standalone's tables to the connection: the schema that holds its log, whatever `search_path` says now, or, in a
 * database without a log, the schema of the role's new tables.
 * @throws StartError if a pooler does not keep sessions, two schemas hold a log, or the role may not make the tables; the driver's error
 * if the server cannot be reached.
 */
export async function locate(connection: ConnectionOptions): Promise<ConnectionOptions> {
  await assertSessionsAreKept(connection);
  const client = await connectAsTheRoleDoes(connection);
  try {
    const { rows } = await client.query<{ schema: string }>(FIND_LOGS, [OTHER_LOGS]);
    const schemas = rows.map(({ schema }) => schema);
    if (schemas.length > 1) throw new StartError(severalLogs(schemas));
    const [schema = await schemaOfNewTables(client)] = schemas;
    return { ...connection, schema };
  } finally {
    await client.end();
  }
}

async function schemaOfNewTables(client: pg.Client): Promise<string> {
  const { rows } = await client.query<NewTables>(FIND_NEW_TABLES, [DEFAULT_SCHEMA]);
  const [{ schema, may_create: mayCreate, role } = { schema: DEFAULT_SCHEMA, may_create: true, role: '' }] = rows;
  if (mayCreate !== false) return schema;
  const [quoted, name] = [pg.escapeIdentifier(schema), pg.escapeIdentifier(role)];
  throw new StartError(
    `the role ${name} may not make tables in the schema ${quoted}, where its new tables go. ` +
      `Let the owner of the schema run: grant create, usage on schema ${quoted} to ${name}; ` +
      `or give Laurel a schema of its own: create schema laurel authorization ${name}; alter role ${name} set search_path = laurel;`,
  );
}

const FIND_LOGS = `
select nspname::text as schema from pg_catalog.pg_class join pg_catalog.pg_namespace n on n.oid = relnamespace
where relname = 'log_head' and relkind = 'r' and nspname <> all ($1::text[]) order by nspname`;

interface NewTables {
  readonly schema: string;
  /** null if the schema does not exist yet. */
  readonly may_create: boolean | null;
  readonly role: string;
}

/** A search path may name only system schemas, or no schema that exists. */
const FIND_NEW_TABLES = `
select schema, has_schema_privilege(to_regnamespace(quote_ident(schema))::oid, 'create') as may_create, current_user::text as role
from (select case when current_schema() like 'pg\\_%' or current_schema() = 'information_schema' then $1
  else coalesce(current_schema(), $1) end) as made (schema)`;

const severalLogs = (schemas: readonly string[]): string =>
  `the schemas ${schemas.map((schema) => pg.escapeIdentifier(schema)).join(' and ')} of the database each hold a log of Laurel, ` +
  'but Laurel can use only one: keep the one you need, move the other to a database of its own (pg_dump --schema), and drop it here';
