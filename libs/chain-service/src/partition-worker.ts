import { StoreUnavailableError, TOPICS, type StreamedConfiguration, type StreamedRecord } from '@laurel/contracts';
import type { OutgoingMessage, PartitionBatch, StreamMessage, StreamProducer } from '@laurel/event-stream';
import { placeOf, type Checkpoint, type PartitionFailure } from './checkpoint.ts';
import type { PartitionStore } from './partition-store.ts';
import type { PartitionProjection, ProjectionBatch } from './projection.ts';
import { decodeStreamed, encodeEffect, encodeStreamed, headersOf, originOf, type Origin } from './protocol.ts';
import type { Publications } from './publications.ts';
import type { AppliedRecord, Routed, RoutedEffect, Routes } from './routes.ts';

export interface PartitionWorkerParts {
  readonly partition: number;
  readonly store: PartitionStore;
  readonly publications: Publications;
  /** Made anew whenever what is in memory may not be what is stored. */
  readonly openProjection: () => PartitionProjection;
  readonly routes: Routes;
  /** null: nothing is sent, as in a rebuild; numbers are given out all the same. */
  readonly producer: StreamProducer | null;
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

/** Messages applied by one commit at most; a sweep or an import may still add many rows, so rows are counted as well. */
const CHUNK_MESSAGES = 500;
const CHUNK_ROWS = 20_000;

/** A message that comes next, and its place in the batch. */
interface Numbered {
  readonly message: StreamMessage;
  readonly origin: Origin;
  readonly streamed: StreamedRecord | StreamedConfiguration;
  readonly index: number;
}

interface Applied {
  readonly next: Numbered[];
  readonly outputs: Routed[];
  readonly effects: RoutedEffect[];
  readonly publications: StreamedConfiguration[];
  stoppedBy: Error | null;
}

/**
 * One partition of a service's input, applied exactly once: compute on what is in memory, send to the next service,
 * and commit states, rows and checkpoint with one statement that fails if the partition was moved on meanwhile. A crash in
 * between sends the same messages once more, under the same numbers, and the receiver drops them.
 */
export class PartitionWorker {
  readonly #parts: PartitionWorkerParts;
  #memory: { readonly projection: PartitionProjection; readonly checkpoint: Checkpoint } | null = null;
  /** Where what is missing was looked for since something was last applied. */
  readonly #sought = new Set<number>();

  constructor(parts: PartitionWorkerParts) {
    this.#parts = parts;
  }

  /** How far it is, as far as it has read; null: nothing is in memory. */
  get checkpoint(): Checkpoint | null {
    return this.#memory?.checkpoint ?? null;
  }

  /** Forgets what is in memory: it is read anew with the next batch. */
  forget(): void {
    this.#memory = null;
  }

  /**
   * Applies a batch, in several commits if it is large. Answers the offset to go on with.
   * @throws PoisonError, UnknownConfigurationError, MissingMessagesError if it cannot go beyond a message: what is before
   * it is committed, and the reason is stored; StaleCheckpointError and errors of store and stream, after which the same batch may be tried again.
   */
  async onBatch({ messages, end }: Pick<PartitionBatch, 'messages' | 'end'>): Promise<number> {
    try {
      return await this.#applyAll(messages, end);
    } catch (error) {
      if (!(error instanceof StoppedError)) this.forget();
      throw error instanceof StoppedError ? error.cause : error;
    }
  }

  async #applyAll(messages: readonly StreamMessage[], end: number): Promise<number> {
    const last = messages.at(-1) as StreamMessage;
    for (let rest = messages; rest.length > 0;) {
      const { projection, checkpoint } = (this.#memory ??= await this.#recall());
      const outcome = await this.#applyChunk(projection, checkpoint, rest);
      if (outcome.kind === 'seek') return this.#seek(outcome.offset, rest[0] as StreamMessage, end);
      rest = rest.slice(outcome.taken);
      if (outcome.stoppedBy !== null) throw new StoppedError(outcome.stoppedBy);
    }
    return last.offset + 1;
  }

  async #recall() {
    const { store, partition, openProjection } = this.#parts;
    return { projection: openProjection(), checkpoint: await store.read(partition) };
  }

  /**
   * Something before the batch has not been seen: read on from the checkpoint, or, if the topic was made anew, from its
   * beginning; and if it is not there either, stop.
   */
  async #seek(checkpoint: number, { offset }: StreamMessage, end: number): Promise<number> {
    const untried = [checkpoint, 0].find((place) => place < offset && !this.#sought.has(place));
    if (untried !== undefined) {
      this.#sought.add(untried);
      return untried;
    }
    const missing = new MissingMessagesError(this.#parts.partition, offset, end);
    await this.#recordFailure({ offset, reason: missing.message });
    throw new StoppedError(missing);
  }

  async #applyChunk(projection: PartitionProjection, before: Checkpoint, messages: readonly StreamMessage[]) {
    // A group's position may be ahead of the checkpoint; in a topic with many sources the numbers alone would not tell.
    const { offset } = messages[0] as StreamMessage;
    if (offset > before.nextOffset && !this.#sought.has(before.nextOffset))
      return { kind: 'seek' as const, offset: before.nextOffset };
    const front = takeFront(before, messages);
    if (front.stop === 'missing' && front.taken === 0) return { kind: 'seek' as const, offset: before.nextOffset };
    const batch = projection.begin();
    try {
      const applied = await this.#apply(batch, front.next);
      // Where it did not get through, the first message that was not applied.
      const taken = front.next[applied.next.length]?.index ?? front.taken;
      const unreadable = front.stop instanceof Error && taken === front.taken ? front.stop : null;
      const stoppedBy = applied.stoppedBy ?? unreadable;
      const outputs = this.#number(before, applied.outputs);
      const after: Checkpoint = {
        nextOffset:
          messages[taken - 1] === undefined ? before.nextOffset : (messages[taken - 1] as StreamMessage).offset + 1,
        position: positionAfter(before, applied.next),
        generation: before.generation,
        received: receivedAfter(before, applied.next),
        sent: outputs.sent,
        failure: stoppedBy && { offset: (messages[taken] as StreamMessage).offset, reason: stoppedBy.message },
      };
      await this.#commit(batch, before, after, applied, outputs.messages);
      this.#sought.clear();
      this.#memory = { projection, checkpoint: after };
      this.#count(taken, applied);
      return { kind: 'applied' as const, taken, stoppedBy };
    } catch (error) {
      batch.discard();
      throw error;
    }
  }

  /** Applies them in order, up to the first that cannot be applied or until the batch is full. */
  async #apply(batch: ProjectionBatch, next: readonly Numbered[]): Promise<Applied> {
    const applied: Applied = { next: [], outputs: [], effects: [], publications: [], stoppedBy: null };
    await batch.load(next.flatMap(({ streamed }) => (streamed.kind === 'record' ? [streamed.message] : [])));
    for (const numbered of next) {
      if (batch.weight > CHUNK_ROWS) break;
      const made = await this.#applyOne(batch, numbered);
      if (made instanceof Error) {
        applied.stoppedBy = made;
        break;
      }
      applied.next.push(numbered);
      if ('kind' in made) {
        applied.publications.push(made);
        applied.outputs.push(...this.#forward(made));
      } else {
        applied.outputs.push(...this.#parts.routes.record(made));
        applied.effects.push(...this.#parts.routes.effects(made));
      }
    }
    return applied;
  }

  /** Answers, rather than throws, why a message cannot be applied. */
  async #applyOne(
    batch: ProjectionBatch,
    { streamed, message }: Numbered,
  ): Promise<AppliedRecord | StreamedConfiguration | Error> {
    try {
      if (streamed.kind === 'record') return await this.#applyRecord(batch, streamed, message.offset);
      this.#parts.publications.add(streamed);
      return streamed;
    } catch (error) {
      if (error instanceof StoreUnavailableError) throw error;
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  async #applyRecord(batch: ProjectionBatch, streamed: StreamedRecord, offset: number): Promise<AppliedRecord> {
    const { account, configurationVersion } = streamed.message.record;
    const configuration = await this.#parts.publications.at(account, configurationVersion);
    const message = await batch.apply(streamed.message, configuration);
    return { message, configuration, trail: [...streamed.trail, offset], partition: this.#parts.partition };
  }

  #forward(streamed: StreamedConfiguration): readonly Routed[] {
    const { routes, partition } = this.#parts;
    return routes.configurationTo(partition).map((target) => ({ partition: target, key: streamed.account, streamed }));
  }

  /** Gives each output its number: contiguous per target partition, and the same if it is done again. */
  #number({ sent }: Checkpoint, outputs: readonly Routed[]) {
    const { partition: source, routes } = this.#parts;
    const reached = new Map(sent);
    const encoded = new Map<unknown, string>();
    const messages = outputs.map(({ partition, key, streamed }): OutgoingMessage => {
      const sequence = (reached.get(partition) ?? 0) + 1;
      reached.set(partition, sequence);
      const value = encoded.get(streamed) ?? encodeStreamed(streamed);
      encoded.set(streamed, value);
      return { topic: routes.topic ?? '', partition, key, value, headers: headersOf({ source, sequence }) };
    });
    return { messages, sent: reached };
  }

  async #commit(
    batch: ProjectionBatch,
    before: Checkpoint,
    after: Checkpoint,
    applied: Applied,
    messages: readonly OutgoingMessage[],
  ): Promise<void> {
    const { producer, store, partition, sendEffects } = this.#parts;
    if (messages.length > 0) await producer?.send(messages);
    await store.commit({ partition, before, after, publications: applied.publications, ...batch.changes() });
    batch.publish();
    if (producer !== null && applied.effects.length > 0) sendEffects(applied.effects.map(effectMessage));
  }

  #count(taken: number, applied: Applied): void {
    const { counts } = this.#parts;
    const configurations = applied.publications.length;
    counts.batches++;
    counts.configurations += configurations;
    counts.records += applied.next.length - configurations;
    counts.repeated += taken - applied.next.length;
    counts.sent += applied.outputs.length;
    counts.effects += applied.effects.length;
  }

  async #recordFailure(failure: PartitionFailure): Promise<void> {
    const { projection, checkpoint } = (this.#memory ??= await this.#recall());
    const after = { ...checkpoint, failure };
    const { store, partition } = this.#parts;
    await store.commit({ partition, before: checkpoint, after, publications: [], states: [], rows: new Map() });
    this.#memory = { projection, checkpoint: after };
  }
}

const positionAfter = ({ position }: Checkpoint, next: readonly Numbered[]): number =>
  next.reduce((last, { streamed }) => (streamed.kind === 'record' ? streamed.message.record.position : last), position);

const receivedAfter = ({ received }: Checkpoint, next: readonly Numbered[]): ReadonlyMap<number, number> =>
  new Map([...received, ...next.map(({ origin }) => [origin.source, origin.sequence] as const)]);

/** The messages at the front that come next, those that were seen before left out; why it is not all of them. */
function takeFront({ received }: Checkpoint, messages: readonly StreamMessage[]) {
  const next: Numbered[] = [];
  const reached = new Map(received);
  for (const [index, message] of messages.entries()) {
    if (next.length === CHUNK_MESSAGES) return { next, taken: index, stop: null };
    try {
      const origin = originOf(message);
      const place = placeOf(origin, reached);
      if (place === 'missing') return { next, taken: index, stop: 'missing' as const };
      if (place === 'seen') continue;
      next.push({ message, origin, streamed: decodeStreamed(message), index });
      reached.set(origin.source, origin.sequence);
    } catch (error) {
      return { next, taken: index, stop: error as Error };
    }
  }
  return { next, taken: messages.length, stop: null };
}

const effectMessage = ({ partition, key, effect }: RoutedEffect): OutgoingMessage => ({
  topic: TOPICS.effects,
  partition,
  key,
  value: encodeEffect(effect),
  headers: {},
});

/** The partition stands at a message; what is in memory is what is stored. */
class StoppedError extends Error {
  override readonly name = 'StoppedError';
  constructor(cause: Error) {
    super('the partition has stopped', { cause });
  }
}

/** The stream does not hold what comes next: a topic was deleted, truncated, or filled by something else. */
export class MissingMessagesError extends Error {
  override readonly name = 'MissingMessagesError';
  constructor(partition: number, offset: number, end: number) {
    super(`messages before offset ${offset} of partition ${partition} are missing (the partition ends at ${end})`);
  }
}
