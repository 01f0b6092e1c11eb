import { placesOfUser, type PlacesParts } from '@laurel/erasures';
import type { SqlReader } from '@laurel/kernel';
import type { Clock, DataKeys } from '@laurel/ports';
import { ProblemError, problemOf } from '@laurel/schemas';
import { clientConfig, SessionClient, type ConnectionOptions } from '@laurel/database';
import { endSession, type LogTables } from '@laurel/event-store';
import { gatherTables } from '../operations/scattered-tables.ts';
import type { Imports } from './imports.ts';

/** What the door of erasures needs. */
export interface GatewayErasures {
  readonly directory: DataKeys;
  importOpen(account: string): Promise<boolean>;
  places(asked: Parameters<typeof placesOfUser>[1]): ReturnType<typeof placesOfUser>;
}

export interface ErasuresParts extends Omit<PlacesParts, 'sql'> {
  readonly connection: ConnectionOptions;
  /** Those that hold the log. */
  readonly tables: LogTables;
  /** @throws ProblemError 503 while they do not hold all of it: a certificate is final */
  readonly assertCountable: () => Promise<void>;
  readonly directory: DataKeys;
  readonly imports: Pick<Imports, 'isOpen'>;
  readonly clock: Pick<Clock, 'after'>;
}

const COUNT_LIMIT_MS = 60_000;

/** How many users' rows a process counts at a time: each count holds a session of the database. */
const MOST_COUNTS = 4;

export const gatewayErasures = ({
  connection,
  tables,
  assertCountable,
  directory,
  imports,
  clock,
  ...parts
}: ErasuresParts): GatewayErasures => ({
  directory,
  importOpen: (account) => imports.isOpen(account),
  places: atMost(MOST_COUNTS, async (asked: Parameters<typeof placesOfUser>[1]) => {
    await assertCountable();
    return overAllSchemas({ connection, tables, clock }, (sql) => placesOfUser({ sql, ...parts }, asked));
  }),
});

/** Counts for erasures, so many at a time. @throws ProblemError 503 for one more */
export function atMost<Asked, Answer>(
  most: number,
  count: (asked: Asked) => Promise<Answer>,
): (asked: Asked) => Promise<Answer> {
  let underWay = 0;
  return async (asked) => {
    if (underWay >= most)
      throw new ProblemError(problemOf('overloaded', `${most} erasures are being counted already.`), {
        'retry-after': '1',
      });
    underWay++;
    try {
      return await count(asked);
    } finally {
      underWay--;
    }
  };
}

/** Reads in a session of its own, which sees the tables of all services. */
async function overAllSchemas<T>(
  { connection, tables, clock }: Pick<ErasuresParts, 'connection' | 'tables' | 'clock'>,
  read: (sql: SqlReader) => Promise<T>,
): Promise<T> {
  const client = new SessionClient({
    ...clientConfig(connection),
    application_name: 'laurel-erasure',
    connectionTimeoutMillis: 5_000,
    query_timeout: COUNT_LIMIT_MS,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(gatherTables(tables));
    return await read({
      query: async <R extends object>(text: string, parameters: readonly unknown[]) =>
        (await client.query<R>(text, [...parameters])).rows,
    });
  } finally {
    await endSession(client, clock);
  }
}
