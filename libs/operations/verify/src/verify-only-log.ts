import type { SqlReader } from '@laurel/kernel';
import { verifyKeptLog, type StoredLog } from '@laurel/event-store';
import type { StoredVerification } from './verify-stored.ts';
import { Findings } from './findings.ts';

/**
 * Verifies a log outside the database against its hash (specification, section 11.1).
 * @param sql of the schema that holds the hash
 * @throws Error if the log or the database cannot be read, or after the current block once `stopped` is aborted
 */
export async function verifyOnlyLog(
  sql: SqlReader,
  log: StoredLog,
  { onProgress, stopped }: Pick<StoredVerification, 'onProgress' | 'stopped'>,
): Promise<void> {
  const findings = new Findings(onProgress);
  const isAmongFirst = findings.firstOfEach();
  onProgress({ check: 'log' });
  await verifyKeptLog(sql, log, {
    onProgress: (verified, head) => {
      stopped.throwIfAborted();
      onProgress({ verified, head });
    },
    onFinding: ({ table, ...finding }) => {
      if (isAmongFirst(table)) findings.add('log', table, finding);
    },
  });
}
