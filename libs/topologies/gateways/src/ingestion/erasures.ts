import { placesOfUser, type PlacesDependencies } from '@laurel/erasures';
import type { SqlReader } from '@laurel/kernel';
import type { Clock, DataKeys } from '@laurel/ports';
import { ProblemError, problemOf } from '@laurel/schemas';
import { openSession, sqlOf, type ConnectionOptions } from '@laurel/database';
import { endSession, type LogTables } from '@laurel/event-store';
import { gatherTables } from '../operations/scattered-tables.ts';
import type { Imports } from './imports.ts';

/** Operations for the HTTP module of erasures. */
export interface GatewayErasures {
  readonly directory: DataKeys;
  importOpen(account: string): Promise<boolean>;
  places(asked: Parameters<typeof placesOfUser>[1]): ReturnType<typeof placesOfUser>;
}

export interface ErasuresDependencies extends Omit<PlacesDependencies, 'sql'> {
  readonly connection: ConnectionOptions;
  /** The tables of the log. */
  readonly tables: LogTables;
  /** @throws ProblemError 503 while the tables lack a part of the log, because a certificate is final */
  readonly assertCountable: () => Promise<void>;
  readonly directory: DataKeys;
  readonly imports: Pick<Imports, 'isOpen'>;
  readonly clock: Pick<Clock, 'after'>;
}

const COUNT_LIMIT_MS = 60_000;

/** Most concurrent counts in one process; each holds a session of the database. */
const MOST_COUNTS = 4;

export const gatewayErasures = ({
  connection,
  tables,
  assertCountable,
  directory,
  imports,
  clock,
  ...parts
}: ErasuresDependencies): GatewayErasures => ({
  directory,
  importOpen: (account) => imports.isOpen(account),
  places: atMost(MOST_COUNTS, async (asked: Parameters<typeof placesOfUser>[1]) => {
    await assertCountable();
    return overAllSchemas({ connection, tables, clock }, (sql) => placesOfUser({ sql, ...parts }, asked));
  }),
});

/** Counts the rows of users, at most `most` at a time. @throws ProblemError 503 for one more */
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
  { connection, tables, clock }: Pick<ErasuresDependencies, 'connection' | 'tables' | 'clock'>,
  read: (sql: SqlReader) => Promise<T>,
): Promise<T> {
  const client = await openSession(connection, {
    application_name: 'laurel-erasure',
    connectionTimeoutMillis: 5_000,
    query_timeout: COUNT_LIMIT_MS,
  });
  try {
    await client.query(gatherTables(tables));
    return await read(sqlOf(client));
  } finally {
    await endSession(client, clock);
  }
}
