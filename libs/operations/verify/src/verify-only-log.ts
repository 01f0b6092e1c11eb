import type { SqlReader } from '@laurel/kernel';
import type { VerificationProgress } from '@laurel/schemas';
import { verifyKeptLog, type StoredLog } from '@laurel/event-store';
import { Findings, NOBODY } from './findings.ts';

export interface LogOnlyVerification {
  readonly onProgress: (progress: VerificationProgress) => void;
  /** Ends it after the block that is being read: it rejects then. */
  readonly stopped: AbortSignal;
}

/**
 * Verifies a log that no SQL reaches against its hash (specification, section 11.1).
 * @param sql of the schema that holds the hash
 * @throws Error if the log or the database cannot be read
 */
export async function verifyOnlyLog(
  sql: SqlReader,
  log: StoredLog,
  { onProgress, stopped }: LogOnlyVerification,
): Promise<void> {
  const findings = new Findings(onProgress);
  const isAmongFirst = findings.firstOfEach();
  onProgress({ check: 'log' });
  await verifyKeptLog(sql, log, {
    onProgress: (verified, head) => {
      stopped.throwIfAborted();
      onProgress({ verified, head });
    },
    onFinding: ({ table, position, ...finding }) => {
      if (!isAmongFirst(table)) return;
      findings.add('log', table, { ...NOBODY, ...finding, position: position?.toString() ?? null });
    },
  });
}
