import { batchOf, type BadLine, type Batch } from './batches.ts';
import type { EventLine } from './event-lines.ts';
import type { ItemResult } from './import-client.ts';

export interface ImportCounts {
  sent: number;
  recorded: number;
  replayed: number;
  refused: number;
}

export interface ImportRun {
  readonly batches: AsyncIterable<Batch>;
  readonly send: (body: string) => Promise<readonly ItemResult[]>;
  readonly onBadLine: (line: BadLine) => void;
  readonly onProgress: () => void;
  /** Waits a little before lines that were turned away are sent again. */
  readonly pause: () => Promise<void>;
}

/** Rounds in which lines that were turned away are sent again. */
const RETRIES = 30;

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
    await sendBatch(run, batch, counts);
    run.onProgress();
  }
}

/** Lines of the batch that were turned away, nothing recorded, are sent again in their order before anything that follows. */
async function sendBatch(run: ImportRun, batch: Batch, counts: ImportCounts): Promise<void> {
  let lines = batch.lines;
  let body = batch.body;
  for (let attempt = 0; ; attempt++) {
    const results = await run.send(body);
    const turnedAway = attempt < RETRIES ? results.filter(isTurnedAway) : [];
    count(lines, results, turnedAway, counts, run.onBadLine);
    if (turnedAway.length === 0) return;
    lines = turnedAway.map(({ index }) => lines[index] as EventLine);
    body = batchOf(lines).body;
    await run.pause();
  }
}

/** With an event id the outcome is unknown: only a line with a key could be sent again, and the operator decides that. */
const isTurnedAway = ({ status, eventId }: ItemResult): boolean => status === 503 && eventId === undefined;

function count(
  lines: readonly EventLine[],
  results: readonly ItemResult[],
  turnedAway: readonly ItemResult[],
  counts: ImportCounts,
  onBadLine: (line: BadLine) => void,
): void {
  const again = new Set(turnedAway);
  counts.sent += lines.length - again.size;
  for (const result of results) {
    if (again.has(result)) continue;
    if (result.status === 201) counts.recorded++;
    else if (result.status === 202) counts.replayed++;
    else onBadLine({ number: lines[result.index]?.number ?? 0, error: result.error ?? `status ${result.status}` });
  }
}
