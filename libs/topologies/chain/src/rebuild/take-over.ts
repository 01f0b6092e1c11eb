import { clientConfig, SessionClient, type ConnectionOptions } from '@laurel/database';
import {
  comparedRows,
  differing,
  firstDifferenceIn,
  inOrder,
  type DifferingRow,
  type RebuildDifference,
} from '@laurel/engine';
import type pg from 'pg';
import { type SchemaName, SCHEMAS, type StepSchema } from '@laurel/processes';

/** Where read models are written anew, beside those in use. */
export const rebuiltSchemaOf = (schema: SchemaName): string => `${schema}_rebuilt`;
const replacedSchemaOf = (schema: SchemaName): string => `${schema}_replaced`;

/** The service waits meanwhile: its commits are held for so long at most. */
const LIMIT_MS = 6_000;

/** What is no read model, and is taken along. */
const KEPT_TABLES = ['partition_owners'];

/** The running service could not be held, or did not stand still long enough: everything is as it was; try again. */
export class TakeOverRefusedError extends Error {
  override readonly name = 'TakeOverRefusedError';
}

/** Leaves nothing of an earlier rebuild. */
export async function dropRebuilt(server: ConnectionOptions, schemas: readonly SchemaName[]): Promise<void> {
  await withClient(server, async (client) => {
    for (const schema of schemas.flatMap((name) => [rebuiltSchemaOf(name), replacedSchemaOf(name)]))
      await client.query(`drop schema if exists ${schema} cascade`);
  });
}

/** The input of the service of this schema was made anew: its offsets begin at 0 again. What was seen is known by its numbers. */
export async function readFromBeginning(server: ConnectionOptions, schema: SchemaName): Promise<void> {
  await withClient(server, async (client) => {
    const { rows } = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
      `${schema}.input_partitions`,
    ]);
    if (rows[0]?.there) await client.query(`update ${schema}.input_partitions set next_offset = 0`);
  });
}

/**
 * Puts the rebuilt schemas of a step in the place of those in use, in one transaction. While it runs no partition of the step can
 * commit; a commit that was held finds the generation changed, and begins anew on the rebuilt tables. The numbers that were given out
 * stay: what was sent under them was sent, whatever a release of today would make of it.
 * @param schemas of which the first has the checkpoints; those in the others are of when the service was a step of its own
 * @param catchUp applies what the service has done up to now, and answers whether the rebuilt tables are there too
 * @throws TakeOverRefusedError
 */
export async function takeOver(
  server: ConnectionOptions,
  schemas: readonly SchemaName[],
  catchUp: (limitMs: number) => Promise<boolean>,
): Promise<void> {
  const [schema, ...others] = schemas;
  if (schema === undefined) return;
  const rebuilt = rebuiltSchemaOf(schema);
  await withClient(server, async (client) => {
    await whileHeld(client, schema, catchUp, async () => {
      await client.query(`update ${schema}.input_partitions set generation = generation + 1`);
      await client.query(
        `update ${rebuilt}.input_partitions r set generation = l.generation, failure = l.failure, sent = l.sent
         from ${schema}.input_partitions l where l.partition = r.partition`,
      );
      for (const table of KEPT_TABLES) await takeAlong(client, schema, table);
      for (const other of others) await takeAlong(client, other, 'input_partitions');
      for (const name of schemas) {
        await client.query(`alter schema ${name} rename to ${replacedSchemaOf(name)}`);
        await client.query(`alter schema ${rebuiltSchemaOf(name)} rename to ${name}`);
      }
    });
    for (const name of schemas) await client.query(`drop schema ${replacedSchemaOf(name)} cascade`);
  });
}

/**
 * Compares the rebuilt schemas of a step with those in use, as of a moment at which both have applied the same. No partition of the step can
 * commit until the moment is fixed; the comparison itself holds nobody up. Nothing is changed.
 * @param catchUp as of {@link takeOver}
 * @returns for each table that differs the first user; empty: both are the same
 * @throws TakeOverRefusedError
 */
export async function compareRebuilt(
  server: ConnectionOptions,
  schemas: readonly StepSchema[],
  catchUp: (limitMs: number) => Promise<boolean>,
): Promise<readonly RebuildDifference[]> {
  const [schema] = schemas;
  if (schema === undefined) return [];
  return withClient(server, async (client) => {
    await withClient(server, (holder) =>
      whileHeld(holder, schema.name, catchUp, async () => {
        await client.query('begin isolation level repeatable read read only');
        await client.query(`select from ${schema.name}.input_partitions`);
      }),
    );
    const differences: RebuildDifference[] = [];
    for (const { name, tables, states } of schemas)
      for (const compared of comparedRows([...tables.keys()], tables, states)) {
        const statement = differing(compared, name, rebuiltSchemaOf(name), SCHEMAS.ingestion);
        const { rows } = await client.query<DifferingRow>(statement);
        const difference = firstDifferenceIn(compared.table, rows);
        if (difference !== null) differences.push({ ...difference, table: `${name}.${difference.table}` });
      }
    return inOrder(differences);
  });
}

/**
 * Does something, in a transaction of the client, while no partition of the step can commit and the rebuilt tables are where the service is.
 * @throws TakeOverRefusedError
 */
async function whileHeld(
  client: pg.Client,
  schema: SchemaName,
  catchUp: (limitMs: number) => Promise<boolean>,
  work: () => Promise<void>,
): Promise<void> {
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = ${LIMIT_MS}`);
    await client.query(`select from ${schema}.input_partitions order by partition for update`);
    if (!(await catchUp(LIMIT_MS))) throw new TakeOverRefusedError('the service went on faster than it was followed');
    await work();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw isLockTimeout(error) ? new TakeOverRefusedError('the service could not be held', { cause: error }) : error;
  }
}

async function takeAlong(client: pg.Client, schema: SchemaName, table: string): Promise<void> {
  const { rows } = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
    `${schema}.${table}`,
  ]);
  if (rows[0]?.there)
    await client.query(`insert into ${rebuiltSchemaOf(schema)}.${table} select * from ${schema}.${table}`);
}

async function withClient<T>(server: ConnectionOptions, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new SessionClient({
    ...clientConfig(server),
    application_name: 'laurel-rebuild',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const LOCK_NOT_AVAILABLE = '55P03';
const isLockTimeout = (error: unknown): boolean => (error as { readonly code?: unknown }).code === LOCK_NOT_AVAILABLE;
