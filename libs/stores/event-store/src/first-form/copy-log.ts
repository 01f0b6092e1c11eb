import { StoreUnavailableError } from '@laurel/kernel';
import type { Directory } from '@laurel/ports';
import type { AppendOutcome, EventStore } from '../event-store.ts';
import { liftRecords, type FirstFormRecord } from './upcast-records.ts';

export interface CopyDependencies {
  /** The log of 0.1 in order, page by page. */
  readonly source: AsyncIterable<readonly FirstFormRecord[]>;
  /** The new log, which contains nothing else. */
  readonly store: Pick<EventStore, 'append' | 'read'>;
  readonly directory: Pick<Directory, 'assignAll'>;
  /** Records copied so far. */
  readonly onProgress: (copied: number) => void;
}

/**
 * Copies a log of 0.1 in its order, with subjects. Records that an earlier run has copied are only compared.
 * @returns the number of records in the log
 * @throws StoreUnavailableError: run it again; Error if the new log contains other records
 */
export async function copyLog({ source, store, directory, onProgress }: CopyDependencies): Promise<number> {
  let copied = 0;
  let after = 0;
  for await (const page of source) {
    if (page.length === 0) continue;
    const present = await store.read(after, page.length);
    present.forEach(({ eventId }, index) => assertSame(page[index]?.eventId, eventId));
    after = present.at(-1)?.position ?? after;
    const missing = await liftRecords(page.slice(present.length), directory);
    // One call per record: within a call, only records of the same user keep their order.
    for (const record of missing) {
      const [outcome] = await store.append([record]);
      if (outcome?.kind !== 'recorded') throw notCopied(outcome);
      after = outcome.record.position;
    }
    copied += page.length;
    onProgress(copied);
  }
  return copied;
}

function assertSame(old: string | undefined, copy: string): void {
  if (old !== copy) throw new Error(`the new log holds the event ${copy} where the old one holds ${old ?? 'none'}`);
}

function notCopied(outcome: AppendOutcome | undefined): Error {
  return outcome?.kind === 'failed'
    ? new StoreUnavailableError('a record could not be copied; run the upgrade again', { cause: outcome.error })
    : new Error('a record could not be copied', { cause: outcome });
}
