import { MOST_FINDINGS, type SqlReader, type VerificationFinding, type VerificationProgress } from '@laurel/contracts';
import { verifyKeptLog, type LogFinding, type StoredLog } from '@laurel/event-store';
import { MOST_OF_ONE, findingOf, NOBODY } from './verify-stored.ts';

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
  const found = new Map<LogFinding['table'], number>();
  let findings: readonly VerificationFinding[] = [];
  onProgress({ check: 'log' });
  await verifyKeptLog(sql, log, {
    onProgress: (verified, head) => {
      stopped.throwIfAborted();
      onProgress({ verified, head });
    },
    onFinding: ({ table, position, ...finding }) => {
      const before = found.get(table) ?? 0;
      found.set(table, before + 1);
      if (before >= MOST_OF_ONE || findings.length >= MOST_FINDINGS) return onProgress({ more: true });
      findings = [
        ...findings,
        findingOf('log', table, { ...NOBODY, ...finding, position: position?.toString() ?? null }),
      ];
      onProgress({ findings: [...findings] });
    },
  });
}
