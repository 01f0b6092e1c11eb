import { StoreUnavailableError } from '@laurel/kernel';
import type { Streamed } from '@laurel/ports';
import type { OutgoingMessage, PartitionBatch, StreamMessage, StreamProducer } from '@laurel/event-stream';
import { applyMessages, type Applied, type ApplyingDependencies } from './apply-messages.ts';
import { newRevision, type PartitionCheckpoint, type PartitionFailure } from './checkpoint.ts';
import { numberOutputs } from './number-outputs.ts';
import { StaleCheckpointError, type PartitionStore } from './partition-store.ts';
import type { PartitionProjection, ProjectionBatch } from './projection.ts';
import { effectMessage } from './protocol.ts';
import { MissingMessagesError, RefusedError, SendError, StoppedError } from './stops.ts';
import { takeFront, type Front } from './take-front.ts';

export interface PartitionWorkerDependencies extends ApplyingDependencies {
  readonly store: PartitionStore;
  /** Made anew whenever what is in memory may not be what is stored. */
  readonly openProjection: () => PartitionProjection;
  /** null: nothing is sent, as in a rebuild; numbers are given out all the same. */
  readonly producer: Pick<StreamProducer, 'send'> | null;
  /** Effects are sent without anybody waiting for it. */
  readonly sendEffects: (messages: readonly OutgoingMessage[]) => void;
  readonly counts: WorkerCounts;
}

/** What a service has done since it started. */
export interface WorkerCounts {
  records: number;
  configurations: number;
  /** Messages that had been seen before. */
  repeated: number;
  batches: number;
  sent: number;
  effects: number;
}

/** Messages applied by one commit at most. */
const CHUNK_MESSAGES = 500;

interface Memory {
  readonly projection: PartitionProjection;
  readonly checkpoint: PartitionCheckpoint;
}

/**
 * One partition of a service's input, applied exactly once: compute on what is in memory, send to the next service,
 * and commit states, rows and checkpoint with one statement that fails if the partition was moved on meanwhile. A crash in
 * between sends the same messages once more, under the same numbers, and the receiver drops them.
 */
export class PartitionWorker {
  readonly #dependencies: PartitionWorkerDependencies;
  #memory: Memory | null = null;
  /** The place to which the stream was last asked to go back because it was ahead of it. */
  #soughtPlace: number | null = null;
  /** Whether the whole partition has been read again since something was last applied. */
  #soughtBeginning = false;

  constructor(dependencies: PartitionWorkerDependencies) {
    this.#dependencies = dependencies;
  }

  /** How far it is, as far as it has read; null: nothing is in memory. */
  get checkpoint(): PartitionCheckpoint | null {
    return this.#memory?.checkpoint ?? null;
  }

  /** The partition was assigned anew: the next batch may begin anywhere, wherever the stream was asked to go before. */
  reassigned(): void {
    this.#soughtPlace = null;
    this.#soughtBeginning = false;
  }

  /**
   * Applies a batch, in several commits if it is large. Answers the offset to go on with.
   * @throws PoisonError, UnknownConfigurationError, MissingMessagesError, or what an area, the store or the stream says of a
   * message, if it cannot go beyond that message: what is before it is committed, and the reason is stored.
   * StaleCheckpointError and errors of store and stream, after which the same batch may be tried again.
   */
  async onBatch({ messages, end }: Pick<PartitionBatch, 'messages' | 'end'>): Promise<number> {
    try {
      return await this.#applyAll(messages, end);
    } catch (error) {
      if (error instanceof StoppedError) throw error.cause;
      this.#memory = null;
      throw error;
    }
  }

  async #applyAll(messages: readonly StreamMessage[], end: number): Promise<number> {
    const last = messages.at(-1) as StreamMessage;
    let most = CHUNK_MESSAGES;
    for (let rest = messages; rest.length > 0;) {
      const memory = (this.#memory ??= await this.#recall());
      const front = takeFront(memory.checkpoint, rest, most);
      const elsewhere = this.#placeToRead(memory.checkpoint, front, rest[0] as StreamMessage);
      if (elsewhere !== null) return elsewhere;
      if (front.stop === 'missing' && front.taken === 0) await this.#stopBefore(rest[0] as StreamMessage, end);
      try {
        rest = rest.slice(await this.#applyFront(memory, front, rest));
        most = Math.min(2 * most, CHUNK_MESSAGES);
      } catch (error) {
        if (!(error instanceof RefusedError)) throw error;
        most = await this.#narrow(error);
      }
    }
    return last.offset + 1;
  }

  async #recall(): Promise<Memory> {
    const { store, partition, openProjection } = this.#dependencies;
    return { projection: openProjection(), checkpoint: await store.read(partition) };
  }

  /**
   * Where to read instead, null: nowhere. The stream's own position may be ahead of the checkpoint, of which a crash of the
   * database can lose the end; and a topic that was made anew has the messages at other offsets. Neither is a gap yet.
   */
  #placeToRead({ nextOffset }: PartitionCheckpoint, { stop, taken }: Front, first: StreamMessage): number | null {
    if (first.offset > nextOffset && this.#soughtPlace !== nextOffset) return this.#seek(nextOffset);
    const isGap = stop === 'missing' && taken === 0;
    if (!isGap || first.offset === 0 || this.#soughtBeginning) return null;
    return this.#seek(0);
  }

  #seek(offset: number): number {
    this.#soughtPlace = offset;
    this.#soughtBeginning ||= offset === 0;
    return offset;
  }

  async #stopBefore({ offset }: StreamMessage, end: number): Promise<never> {
    const missing = new MissingMessagesError(this.#dependencies.partition, offset, end);
    await this.#recordFailure({ offset, reason: missing.message });
    throw new StoppedError(missing);
  }

  /** Half as many at a time, so that those before the one that is refused get through, and that one is named. */
  async #narrow({ cause, offset, messages }: RefusedError): Promise<number> {
    this.#memory = null;
    if (messages > 1) return Math.ceil(messages / 2);
    await this.#recordFailure({ offset, reason: cause.message });
    throw new StoppedError(cause);
  }

  /** Answers how many messages of the batch are dealt with. @throws StoppedError if the one behind them cannot be applied. */
  async #applyFront(memory: Memory, front: Front, messages: readonly StreamMessage[]): Promise<number> {
    const batch = memory.projection.begin(memory.checkpoint);
    try {
      const applied = await applyMessages(this.#dependencies, batch, front.next);
      // Where it did not get through, the first message that was not applied.
      const taken = front.next[applied.messages.length]?.index ?? front.taken;
      const stoppedBy = applied.stoppedBy ?? (front.stop instanceof Error && taken === front.taken ? front.stop : null);
      const failure = stoppedBy && { offset: (messages[taken] as StreamMessage).offset, reason: stoppedBy.message };
      const nextOffset = behind(messages[taken - 1]) ?? memory.checkpoint.nextOffset;
      await this.#commit(memory, batch, applied, { nextOffset, failure });
      this.#count(taken, applied);
      if (stoppedBy !== null) throw new StoppedError(stoppedBy);
      return taken;
    } catch (error) {
      if (!(error instanceof StoppedError)) batch.discard();
      throw error;
    }
  }

  async #commit(
    { projection, checkpoint: before }: Memory,
    batch: ProjectionBatch,
    applied: Applied,
    { nextOffset, failure }: Pick<PartitionCheckpoint, 'nextOffset' | 'failure'>,
  ): Promise<void> {
    const { producer, store, partition, routes, sendEffects } = this.#dependencies;
    const { messages, sent } = numberOutputs(
      routes.topic ?? '',
      { source: partition, sent: before.sent },
      applied.outputs,
    );
    const after: PartitionCheckpoint = {
      nextOffset,
      position: positionAfter(before, applied),
      generation: before.generation,
      revision: newRevision(),
      received: receivedAfter(before, applied),
      sent,
      failure,
    };
    try {
      if (messages.length > 0) await this.#send(messages);
      await store.commit({ partition, before, after, changes: batch.changes() });
    } catch (error) {
      throw refusalOf(error, applied) ?? error;
    }
    batch.publish();
    this.#memory = { projection, checkpoint: after };
    this.#soughtPlace = null;
    if (applied.messages.length > 0) this.#soughtBeginning = false;
    if (producer !== null && applied.effects.length > 0) sendEffects(applied.effects.map(effectMessage));
  }

  async #send(messages: readonly OutgoingMessage[]): Promise<void> {
    await this.#dependencies.producer?.send(messages).catch((error: unknown) => {
      throw error instanceof RangeError ? error : new SendError(error);
    });
  }

  #count(taken: number, { messages, publications, outputs, effects }: Applied): void {
    const { counts } = this.#dependencies;
    counts.batches++;
    counts.configurations += publications.length;
    counts.records += messages.length - publications.length;
    counts.repeated += taken - messages.length;
    counts.sent += outputs.length;
    counts.effects += effects.length;
  }

  async #recordFailure(failure: PartitionFailure): Promise<void> {
    const { projection, checkpoint } = (this.#memory ??= await this.#recall());
    const after = { ...checkpoint, revision: newRevision(), failure };
    const { store, partition } = this.#dependencies;
    await store.commit({ partition, before: checkpoint, after, changes: [] });
    this.#memory = { projection, checkpoint: after };
  }
}

const behind = (message: StreamMessage | undefined): number | null => (message ? message.offset + 1 : null);

const positionAfter = ({ position }: PartitionCheckpoint, { messages }: Applied): number =>
  messages.reduce((last, { streamed }) => positionOf(streamed) ?? last, position);

/** null: it is of no record. */
function positionOf(streamed: Streamed): number | null {
  if (streamed.kind === 'configuration') return null;
  return streamed.kind === 'record' ? streamed.message.record.position : streamed.contributions.position;
}

const receivedAfter = ({ received }: PartitionCheckpoint, { messages }: Applied): ReadonlyMap<number, number> =>
  new Map([...received, ...messages.map(({ origin }) => [origin.source, origin.sequence] as const)]);

/** null: what went wrong says nothing of the messages. */
function refusalOf(error: unknown, { messages }: Applied): RefusedError | null {
  const passes = [StoreUnavailableError, StaleCheckpointError, SendError].some((type) => error instanceof type);
  const [first] = messages;
  return passes || !first || !(error instanceof Error)
    ? null
    : new RefusedError(error, first.message.offset, messages.length);
}
