import type { BadLine, Batch } from './batches.ts';
import type { ItemResult } from './import-client.ts';
import type { ImportCounts } from './progress.ts';

export interface ImportRun {
  readonly batches: AsyncIterable<Batch>;
  readonly send: (body: string) => Promise<readonly ItemResult[]>;
  readonly onBadLine: (line: BadLine) => void;
  readonly onProgress: (counts: ImportCounts) => void;
}

/**
 * Sends the batches one after the other: the order of the file is the order of recording. The next batch is read while the
 * service works on the one before. `counts` is kept up to date throughout.
 */
export async function importEvents(run: ImportRun, counts: ImportCounts): Promise<void> {
  const batches = run.batches[Symbol.asyncIterator]();
  let next = batches.next();
  for (;;) {
    const { value: batch, done } = await next;
    if (done) return;
    next = batches.next();
    next.catch(() => undefined);
    count(batch, await run.send(batch.body), counts, run.onBadLine);
    run.onProgress(counts);
  }
}

function count(
  { lines }: Batch,
  results: readonly ItemResult[],
  counts: ImportCounts,
  onBadLine: (line: BadLine) => void,
): void {
  counts.sent += lines.length;
  for (const { index, status, error } of results) {
    if (status === 201) counts.recorded++;
    else if (status === 202) counts.replayed++;
    else onBadLine({ number: lines[index]?.number ?? 0, error: error ?? `status ${status}` });
  }
}
