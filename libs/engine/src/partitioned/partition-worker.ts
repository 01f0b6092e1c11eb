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
  /** Opens a new projection whenever the states in memory may differ from the stored ones. */
  readonly openProjection: () => PartitionProjection;
  /** null in a rebuild: outputs are numbered, but not sent. */
  readonly producer: Pick<StreamProducer, 'send'> | null;
  /** Sends effects in the background. */
  readonly sendEffects: (messages: readonly OutgoingMessage[]) => void;
  readonly counts: WorkerCounts;
}

/** Counts since the start of a service. */
export interface WorkerCounts {
  records: number;
  configurations: number;
  /** Messages that had been received before. */
  repeated: number;
  batches: number;
  sent: number;
  effects: number;
}

/** Most messages applied by one commit. */
const CHUNK_MESSAGES = 500;

interface Memory {
  readonly projection: PartitionProjection;
  readonly checkpoint: PartitionCheckpoint;
}

/**
 * Applies one partition of a service's input exactly once: computes in memory, sends to the next service, and commits
 * states, rows and checkpoint. The commit is one statement, and fails if another process has moved the partition on.
 * After a crash in between, the same messages are sent again with the same numbers, and the receiver drops them.
 */
export class PartitionWorker {
  readonly #dependencies: PartitionWorkerDependencies;
  #memory: Memory | null = null;
  /** The offset that the worker last asked the stream for because the stream was ahead of it. */
  #soughtPlace: number | null = null;
  /** Whether the worker has asked for the whole partition again since it last applied something. */
  #soughtBeginning = false;

  constructor(dependencies: PartitionWorkerDependencies) {
    this.#dependencies = dependencies;
  }

  /** The checkpoint in memory, or null if nothing is in memory. */
  get checkpoint(): PartitionCheckpoint | null {
    return this.#memory?.checkpoint ?? null;
  }

  /**
   * Called when the partition is assigned anew: the next batch may begin at any offset, so earlier seeks no longer
   * count.
   */
  reassigned(): void {
    this.#soughtPlace = null;
    this.#soughtBeginning = false;
  }

  /**
   * Applies a batch, in several commits if it is large. Returns the offset to continue with.
   * @throws PoisonError, UnknownConfigurationError, MissingMessagesError, or an error of an area, the store or the
   * stream, if the worker cannot get past a message. Everything before that message is committed, and the reason is
   * stored. StaleCheckpointError and other errors of store and stream: the same batch may be tried again.
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
   * The offset to read from instead, or null to go on. A mismatch is not yet a gap: the stream's own offset may be
   * ahead of a checkpoint that a crash of the database has set back, and a topic that was created again has its
   * messages at other offsets.
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

  /** Halves the number of messages, so that those before the refused one succeed and the refused one is found. */
  async #narrow({ cause, offset, messages }: RefusedError): Promise<number> {
    this.#memory = null;
    if (messages > 1) return Math.ceil(messages / 2);
    await this.#recordFailure({ offset, reason: cause.message });
    throw new StoppedError(cause);
  }

  /**
   * Returns how many messages of the batch are processed. @throws StoppedError if the next message cannot be applied.
   */
  async #applyFront(memory: Memory, front: Front, messages: readonly StreamMessage[]): Promise<number> {
    const batch = memory.projection.begin(memory.checkpoint);
    try {
      const applied = await applyMessages(this.#dependencies, batch, front.next);
      // If not all were applied, the index of the first message left.
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

/** null for a message without a record. */
function positionOf(streamed: Streamed): number | null {
  if (streamed.kind === 'configuration') return null;
  return streamed.kind === 'record' ? streamed.message.record.position : streamed.contributions.position;
}

const receivedAfter = ({ received }: PartitionCheckpoint, { messages }: Applied): ReadonlyMap<number, number> =>
  new Map([...received, ...messages.map(({ origin }) => [origin.source, origin.sequence] as const)]);

/** The refusal if messages caused the error, otherwise null. */
function refusalOf(error: unknown, { messages }: Applied): RefusedError | null {
  const passes = [StoreUnavailableError, StaleCheckpointError, SendError].some((type) => error instanceof type);
  const [first] = messages;
  return passes || !first || !(error instanceof Error)
    ? null
    : new RefusedError(error, first.message.offset, messages.length);
}
