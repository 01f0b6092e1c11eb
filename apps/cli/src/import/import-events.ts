import { batchOf, type BadLine, type Batch } from './batches.ts';
import { DamagedUsers } from './damaged-users.ts';
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
  /** Waits a little before lines are sent again. */
  readonly pause: () => Promise<void>;
}

/** Rounds in which lines that were not recorded for certain are sent again. */
const RETRIES = 30;

/**
 * Sends the batches one after the other: the order of the file is the order of recording. The next batch is read while the
 * service works on the one before. `counts` is kept up to date throughout.
 */
export async function importEvents(run: ImportRun, counts: ImportCounts): Promise<void> {
  const batches = run.batches[Symbol.asyncIterator]();
  const damaged = new DamagedUsers();
  let next = batches.next();
  for (;;) {
    const { value: batch, done } = await next;
    if (done) return;
    next = batches.next();
    next.catch(() => undefined);
    await sendBatch(run, batch, damaged, counts);
    run.onProgress();
  }
}

/**
 * Sends lines again, in their order and before anything that follows, if nothing of them was recorded, or if that is unknown and
 * their key keeps them from counting twice.
 *
 * This keeps each user's order: a service that refuses an event with 503 records no later one of that user from the same request,
 * so every line behind the one in doubt is sent again with it. Only a line without a key is left in doubt when others go on.
 * A user whose stored state is damaged is given up: sending again cannot succeed.
 */
async function sendBatch(run: ImportRun, batch: Batch, damaged: DamagedUsers, counts: ImportCounts): Promise<void> {
  const inDoubt = new Map<EventLine, string>();
  const { sent, givenUp } = damaged.part(batch.lines);
  for (const line of givenUp) run.onBadLine(line);
  let lines = sent;
  let body = givenUp.length === 0 ? batch.body : batchOf(sent).body;
  for (let attempt = 0; lines.length > 0; attempt++) {
    const results = (await run.send(body)).map((result) => settled(result, lines, inDoubt));
    noteDamage(results, lines, damaged);
    const again = attempt < RETRIES ? results.filter((result) => isToBeSentAgain(result, lines, damaged)) : [];
    count(lines, results, again, counts, run.onBadLine);
    if (again.length === 0) return;
    lines = again.map(({ index }) => lines[index] as EventLine);
    body = batchOf(lines).body;
    await run.pause();
  }
}

/** A line that turns out to have been recorded when its outcome was unknown is a recorded one, not one that was known before. */
function settled(result: ItemResult, lines: readonly EventLine[], inDoubt: Map<EventLine, string>): ItemResult {
  const line = lines[result.index];
  if (line === undefined || result.eventId === undefined) return result;
  if (result.status === 503) inDoubt.set(line, result.eventId);
  const wasOurs = result.status === 202 && inDoubt.get(line) === result.eventId;
  return wasOurs ? { ...result, status: 201 } : result;
}

const isDamaged = ({ code }: ItemResult): boolean => code === 'state_damaged';

function noteDamage(results: readonly ItemResult[], lines: readonly EventLine[], damaged: DamagedUsers): void {
  for (const result of results) {
    const line = lines[result.index];
    if (line !== undefined && isDamaged(result)) damaged.add(line);
  }
}

/** With an event id it is unknown whether that event was recorded. */
function isToBeSentAgain(
  { index, status, eventId }: ItemResult,
  lines: readonly EventLine[],
  damaged: DamagedUsers,
): boolean {
  const line = lines[index];
  if (status !== 503 || line === undefined || damaged.has(line)) return false;
  return eventId === undefined || hasKey(line);
}

const hasKey = ({ text }: EventLine): boolean =>
  typeof (JSON.parse(text) as Record<string, unknown>)['idempotencyKey'] === 'string';

function count(
  lines: readonly EventLine[],
  results: readonly ItemResult[],
  sentAgain: readonly ItemResult[],
  counts: ImportCounts,
  onBadLine: (line: BadLine) => void,
): void {
  const again = new Set(sentAgain);
  counts.sent += lines.length - again.size;
  for (const result of results) {
    if (again.has(result)) continue;
    if (result.status === 201) counts.recorded++;
    else if (result.status === 202) counts.replayed++;
    else onBadLine(badLine(result, lines[result.index]));
  }
}

const badLine = (result: ItemResult, line: EventLine | undefined): BadLine => ({
  number: line?.number ?? 0,
  error: result.error ?? `status ${result.status}`,
  ...(isDamaged(result) && { damaged: true }),
});
