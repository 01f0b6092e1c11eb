import { verifyStored, type StoredVerification } from '@laurel/areas';
import type { SqlReader } from '@laurel/contracts';
import { catchUpChain, type StoredLog } from '@laurel/event-store';
import type { GatewayConfigurations } from '../ingestion/gateway-configurations.ts';
import { atRest, type RestParts } from './at-rest.ts';
import { BETWEEN_SCHEMAS, GATHER_TABLES } from './scattered-tables.ts';

export interface DistributedVerificationParts extends Omit<RestParts, 'stopped'> {
  /** Of the schema that holds the log. */
  readonly sql: SqlReader;
  readonly log: StoredLog;
  readonly configurations: Pick<GatewayConfigurations, 'historyOf' | 'refresh'>;
}

/**
 * Verifies the log and what all services store (specification, section 11.1), as of a moment at which they had applied all of it.
 * @throws Error if an area does not come to the end of the log, or the database cannot be read
 */
export async function verifyDistributed(
  { sql, log, configurations, ...parts }: DistributedVerificationParts,
  asked: Pick<StoredVerification, 'account' | 'full' | 'onlyLog' | 'onProgress' | 'stopped'>,
): Promise<void> {
  await verifyStored(parts.connection, {
    ...asked,
    clock: parts.clock,
    configurations: (account) => configurations.historyOf(account),
    scattered: {
      gather: GATHER_TABLES,
      conservation: BETWEEN_SCHEMAS,
      atRest: async (takeSnapshot) => {
        // The leader hashes about a second behind the end of the log.
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
