import { Server, type CustomTransportStrategy } from '@nestjs/microservices';
import { lastValueFrom } from 'rxjs';
import type { ConsumerHealth, PartitionBatch } from '../event-stream.ts';
import { GroupMember, type GroupMemberParts } from './group-member.ts';

/**
 * Nest's microservice transport for batches: one topic, one consumer group. The handler whose pattern is the topic's name
 * gets a {@link PartitionBatch} and answers the offset to go on with. (Nest's own `ServerKafka` hands over one message at a
 * time.) It keeps what the event stream's port promises of a consumer.
 */
export class KafkaBatchStrategy extends Server implements CustomTransportStrategy {
  readonly #member: GroupMember;
  readonly #topic: string;

  constructor(parts: Omit<GroupMemberParts, 'onBatch'>) {
    super();
    this.#topic = parts.subscription.topic;
    this.#member = new GroupMember({ ...parts, onBatch: (batch) => this.#answerOf(batch) });
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

  /** The kafkajs consumer of the moment. */
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
    // Nest's own look-up parses every pattern as JSON first, and throws inside when it is none.
    const handler = this.messageHandlers.get(batch.topic);
    if (!handler) throw new Error(`no handler for the topic ${batch.topic}`);
    return lastValueFrom(this.transformToObservable(await handler(batch, batch)));
  }
}
