import { verifyStored, type StoredVerification } from '@laurel/verify';
import type { SqlReader } from '@laurel/kernel';
import { catchUpChain, verifyKeptLog, type LogTables, type StoredLog } from '@laurel/event-store';
import type { GatewayConfigurations } from '@laurel/processes';
import { atRest, type RestDependencies } from './at-rest.ts';
import { BETWEEN_SCHEMAS, gatherTables } from './scattered-tables.ts';

export interface DistributedVerificationDependencies extends Omit<RestDependencies, 'stopped'> {
  /** The schema with the log. */
  readonly sql: SqlReader;
  /** The log in Postgres, or the copy there. */
  readonly log: StoredLog;
  /** The tables of `log`. */
  readonly tables: LogTables;
  /** The log in EventStoreDB, if `log` is its copy. */
  readonly original?: StoredLog;
  readonly configurations: Pick<GatewayConfigurations, 'historyOf' | 'refresh'>;
}

/**
 * Verifies the log and the tables of all services (specification, section 11.1), as of a moment at which they had applied the whole log.
 * @throws Error if an area does not reach the end of the log, or the database cannot be read
 */
export async function verifyDistributed(
  { sql, log, original, configurations, ...parts }: DistributedVerificationDependencies,
  asked: Pick<StoredVerification, 'account' | 'full' | 'onlyLog' | 'onProgress' | 'stopped'>,
): Promise<void> {
  await verifyStored(parts.connection, {
    ...asked,
    clock: parts.clock,
    configurations: (account) => configurations.historyOf(account),
    ...(original && { verifyLog: (reader, notified) => verifyKeptLog(reader, original, notified) }),
    scattered: {
      gather: gatherTables(parts.tables),
      conservation: BETWEEN_SCHEMAS,
      atRest: async (takeSnapshot) => {
        // The leader's hash is about a second behind the end of the log.
        await catchUpChain(sql, log);
        await atRest({ ...parts, stopped: asked.stopped }, async () => {
          await catchUpChain(sql, log);
          await takeSnapshot();
        });
        await configurations.refresh();
      },
    },
  });
}
