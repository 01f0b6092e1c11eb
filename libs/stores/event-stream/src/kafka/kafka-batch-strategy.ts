import { Server, type CustomTransportStrategy } from '@nestjs/microservices';
import { lastValueFrom } from 'rxjs';
import type { ConsumerHealth, PartitionBatch } from '../event-stream.ts';
import { GroupMember, type GroupMemberDependencies } from './group-member.ts';

/**
 * Nest's microservice transport for batches: one topic, one consumer group. The handler whose pattern is the topic's name gets a
 * {@link PartitionBatch} and returns the offset to continue with. (Nest's own `ServerKafka` delivers one message at a time.) It gives the
 * guarantees of consumers of the event stream.
 */
export class KafkaBatchStrategy extends Server implements CustomTransportStrategy {
  readonly #member: GroupMember;
  readonly #topic: string;

  constructor(dependencies: Omit<GroupMemberDependencies, 'onBatch'>) {
    super();
    this.#topic = dependencies.subscription.topic;
    this.#member = new GroupMember({ ...dependencies, onBatch: (batch) => this.#answerOf(batch) });
  }

  listen(callback: (error?: unknown) => void): void {
    if (this.messageHandlers.has(this.#topic)) this.#member.start().then(() => callback(), callback);
    else callback(new Error(`no controller has a handler for the topic ${this.#topic}`));
  }

  async close(): Promise<void> {
    await this.#member.close();
  }

  on(): never {
    throw new Error('this transport has no events of its own: ask for its health');
  }

  /** The current kafkajs consumer. */
  unwrap<T>(): T {
    return this.#member.consumer as T;
  }

  get assigned(): readonly number[] | null {
    return this.#member.assigned;
  }

  readOn(partition: number, offset: number): void {
    this.#member.readOn(partition, offset);
  }

  health(): ConsumerHealth {
    return this.#member.health();
  }

  async #answerOf(batch: PartitionBatch): Promise<unknown> {
    // Nest's own look-up parses every pattern as JSON, and throws for other texts.
    const handler = this.messageHandlers.get(batch.topic);
    if (!handler) throw new Error(`no handler for the topic ${batch.topic}`);
    return lastValueFrom(this.transformToObservable(await handler(batch, batch)));
  }
}
