import { StoreUnavailableError, type Directory } from '@laurel/contracts';
import type { EventStore } from '../event-store.ts';
import { liftRecords, type FirstFormRecord } from './lift-records.ts';

export interface CopyParts {
  /** The log of 0.1, some records at a time, in its order. */
  readonly source: AsyncIterable<readonly FirstFormRecord[]>;
  /** The log that takes its place: it holds nothing else. */
  readonly store: Pick<EventStore, 'append' | 'read'>;
  readonly directory: Pick<Directory, 'assignAll'>;
  /** Of records that one append may hold and still keep in order, whomever they concern. */
  readonly recordsAtOnce: number;
  /** Records copied so far. */
  readonly onProgress: (copied: number) => void;
}

/**
 * Copies a log of 0.1, with subjects and in the same order; what an earlier run has copied is only compared. Answers how many
 * records the log holds. @throws StoreUnavailableError: then run it again; Error if the new log holds something else.
 */
export async function copyLog({ source, store, directory, recordsAtOnce, onProgress }: CopyParts): Promise<number> {
  let copied = 0;
  let after = 0;
  for await (const page of source) {
    if (page.length === 0) continue;
    const present = await store.read(after, page.length);
    present.forEach(({ eventId }, index) => assertSame(page[index]?.eventId, eventId));
    after = present.at(-1)?.position ?? after;
    const missing = await liftRecords(page.slice(present.length), directory);
    for (let from = 0; from < missing.length; from += recordsAtOnce) {
      const outcomes = await store.append(missing.slice(from, from + recordsAtOnce));
      for (const outcome of outcomes) {
        if (outcome.kind !== 'recorded') throw notCopied(outcome);
        after = outcome.record.position;
      }
    }
    copied += page.length;
    onProgress(copied);
  }
  return copied;
}

function assertSame(old: string | undefined, copy: string): void {
  if (old !== copy) throw new Error(`the new log holds the event ${copy} where the old one holds ${old ?? 'none'}`);
}

function notCopied(outcome: { readonly kind: string; readonly error?: Error }): Error {
  const { kind, error } = outcome;
  return kind === 'failed'
    ? new StoreUnavailableError('a record could not be copied; run the upgrade again', { cause: error })
    : new Error(`a record could not be copied: ${kind}`, { cause: error });
}
