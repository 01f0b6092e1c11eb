import type { Batch, EachBatchPayload, KafkaMessage } from 'kafkajs';
import type { PartitionBatch, StreamMessage } from '../event-stream.ts';
import type { Membership, Progress } from './membership.ts';

export interface BatchWork {
  readonly payload: EachBatchPayload;
  readonly membership: Membership;
  /** False after the next rebalance, or once the consumer is being closed. */
  readonly isCurrent: () => boolean;
  /** False after the next rebalance, because kafkajs would apply the position to the new assignment. */
  readonly mayGoOn: () => boolean;
  readonly answer: (batch: PartitionBatch) => Promise<unknown>;
  readonly moved: () => void;
  readonly failed: (partition: number, attempts: number) => void;
}

/** Passes a batch to the handler, and continues where the handler says. Never rejects: kafkajs would treat that as its own failure. */
export async function workOnBatch(work: BatchWork): Promise<void> {
  const { payload, membership, isCurrent } = work;
  const progress = membership.of(payload.batch.partition);
  if (!progress) return;
  await membership.prepared;
  if (!isCurrent() || payload.isStale()) return;
  const batch = wantedOf(payload, progress);
  if (batch === null) return;
  progress.end = batch.end;
  try {
    goOn(work, progress, offsetWithin(batch, await work.answer(batch)));
  } catch (error) {
    const attempts = (progress.failure?.attempts ?? 0) + 1;
    progress.failure = { attempts, error };
    work.failed(batch.partition, attempts);
  }
}

/** The messages from the starting offset on; null if they have to be fetched first. */
function wantedOf({ batch, resolveOffset }: EachBatchPayload, progress: Progress): PartitionBatch | null {
  const { topic, partition } = batch;
  const { beginAt } = progress;
  const messages = batch.messages.map(streamMessage);
  progress.beginAt = null;
  // kafkajs does not wait for a seek at an assignment, so the batch may come from an earlier fetch.
  const begins = beginAt === null || (messages[0]?.offset ?? 0) <= beginAt;
  const wanted = begins ? messages.filter(({ offset }) => offset >= (beginAt ?? 0)) : [];
  if (wanted.length > 0) return { topic, partition, messages: wanted, end: endOf(batch) };
  if (beginAt !== null) resolveOffset(String(beginAt - 1));
  return null;
}

/** The broker reads the high watermark first, so later messages of the batch may lie after it. */
const endOf = ({ highWatermark, messages }: Batch): number =>
  Math.max(Number(highWatermark), Number(messages.at(-1)?.offset ?? -1) + 1);

function goOn({ payload, mayGoOn, moved }: BatchWork, progress: Progress, next: number): void {
  if (!mayGoOn()) return;
  payload.resolveOffset(String(next - 1));
  Object.assign(progress, { position: next, failure: null, unrecorded: true });
  moved();
}

function offsetWithin({ topic, partition, end }: PartitionBatch, next: unknown): number {
  if (typeof next === 'number' && Number.isSafeInteger(next) && next >= 0 && next <= end) return next;
  throw new RangeError(
    `the handler of ${topic}/${partition} answered ${String(next)}, which is no offset up to ${end}`,
  );
}

function streamMessage({ offset, key, value, headers }: KafkaMessage): StreamMessage {
  const texts = Object.entries(headers ?? {}).map(([name, header]) => [name, String(header)] as const);
  return {
    offset: Number(offset),
    key: key?.toString() ?? '',
    value: value?.toString() ?? '',
    headers: Object.fromEntries(texts),
  };
}
