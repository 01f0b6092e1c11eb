import { openSession, sqlOf, tableExists, type ConnectionOptions } from '@laurel/database';
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

/** The schema of rebuilt read models, beside the schema in use. */
export const rebuiltSchemaOf = (schema: SchemaName): string => `${schema}_rebuilt`;
const replacedSchemaOf = (schema: SchemaName): string => `${schema}_replaced`;

/** The longest time for which the commits of the service are blocked. */
const LIMIT_MS = 6_000;

/** Tables without read models, which are copied to the rebuilt schema. */
const KEPT_TABLES = ['partition_owners'];

/** The running service could not be blocked long enough. Nothing has changed; try again. */
export class TakeOverRefusedError extends Error {
  override readonly name = 'TakeOverRefusedError';
}

/** Removes an earlier rebuild. */
export async function dropRebuilt(server: ConnectionOptions, schemas: readonly SchemaName[]): Promise<void> {
  await withClient(server, async (client) => {
    for (const schema of schemas.flatMap((name) => [rebuiltSchemaOf(name), replacedSchemaOf(name)]))
      await client.query(`drop schema if exists ${schema} cascade`);
  });
}

/** Resets the offsets of a service whose input topic was recreated. Messages that it has seen are recognized by their numbers. */
export async function readFromBeginning(server: ConnectionOptions, schema: SchemaName): Promise<void> {
  await withClient(server, async (client) => {
    if (await tableExists(sqlOf(client), `${schema}.input_partitions`))
      await client.query(`update ${schema}.input_partitions set next_offset = 0`);
  });
}

/**
 * Replaces the schemas of a step by the rebuilt ones, in one transaction. Meanwhile no partition of the step can commit; a blocked commit then
 * finds another generation, and starts again on the rebuilt tables. The numbers of sent messages stay, whatever this release would send.
 * @param schemas the first has the checkpoints; checkpoints in the others are from times when the service was a step of its own
 * @param catchUp applies what the service has applied by now, and returns whether it has caught up
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
 * Compares the rebuilt schemas of a step with those in use, as of a moment at which both have applied the same messages. No partition can commit
 * until the snapshot is taken; the comparison itself blocks nothing. Nothing is changed.
 * @param catchUp as in {@link takeOver}
 * @returns the first difference of each table; empty if there is none
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
 * Runs `work` in a transaction of the client, while no partition of the step can commit and the rebuilt tables have caught up.
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
    if (!(await catchUp(LIMIT_MS))) throw new TakeOverRefusedError('the replay could not keep up with the service');
    await work();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw isLockTimeout(error)
      ? new TakeOverRefusedError('the tables of the service could not be locked in time', { cause: error })
      : error;
  }
}

async function takeAlong(client: pg.Client, schema: SchemaName, table: string): Promise<void> {
  if (await tableExists(sqlOf(client), `${schema}.${table}`))
    await client.query(`insert into ${rebuiltSchemaOf(schema)}.${table} select * from ${schema}.${table}`);
}

async function withClient<T>(server: ConnectionOptions, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await openSession(server, {
    application_name: 'laurel-rebuild',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  });
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const LOCK_NOT_AVAILABLE = '55P03';
const isLockTimeout = (error: unknown): boolean => (error as { readonly code?: unknown }).code === LOCK_NOT_AVAILABLE;
