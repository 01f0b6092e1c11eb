import { RETRY_DELAYS, type PartitionHandler, type StreamConsumer, type Subscription } from '@laurel/event-stream';
import { MemoryConsumer } from './memory-consumer.ts';
import type { MemoryEventStreamOptions } from './memory-event-stream.ts';
import type { MemoryTopic } from './memory-topic.ts';

/** A consumer group: its members and its offsets. */
export class MemoryGroup {
  readonly topic: MemoryTopic;
  readonly positions = new Map<number, number>();
  #members: MemoryConsumer[] = [];
  #rebalancing: Promise<void> = Promise.resolve();

  constructor(topic: MemoryTopic) {
    this.topic = topic;
  }

  join(
    subscription: Subscription,
    handler: PartitionHandler,
    { batchSize = 100, retryDelays = RETRY_DELAYS }: MemoryEventStreamOptions,
  ): StreamConsumer {
    const member = new MemoryConsumer({ group: this, subscription, handler, batchSize, retryDelays });
    this.#members.push(member);
    this.#rebalance();
    return member;
  }

  leave(member: MemoryConsumer): void {
    this.#members = this.#members.filter((other) => other !== member);
    this.#rebalance();
  }

  /** Called when the topic was created again. */
  beginAnew(): void {
    this.#rebalancing = this.#rebalancing.then(() => this.#assign(() => this.positions.clear()));
  }

  #rebalance(): void {
    this.#rebalancing = this.#rebalancing.then(() => this.#assign());
  }

  /** Assigns partitions once all members have finished their batches. */
  async #assign(beforehand = (): void => undefined): Promise<void> {
    await Promise.all(this.#members.map((member) => member.revoke()));
    beforehand();
    const members = this.#members;
    const all = Array.from({ length: this.topic.partitions }, (_, partition) => partition);
    members.forEach((member, index) => member.assign(all.filter((partition) => partition % members.length === index)));
  }
}
