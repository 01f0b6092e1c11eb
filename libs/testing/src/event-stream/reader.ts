import type {
  Beginnings,
  EventStream,
  PartitionBatch,
  PartitionHandler,
  StreamConsumer,
  StreamMessage,
  Subscription,
} from '@laurel/event-stream';

/** A consumer that records what happens to it. */
export class Reader implements PartitionHandler {
  consumer: StreamConsumer | null = null;
  readonly assignments: (readonly number[])[] = [];
  /** Batches that were handled successfully, in the order in which they began. */
  readonly batches: PartitionBatch[] = [];
  readonly trail: ('assigned' | 'batch')[] = [];
  readonly working = new Set<number>();
  readonly overlaps: number[] = [];
  mostAtATime = 0;
  /** Gaps between the end of a batch and the beginning of the next one, within an assignment. */
  readonly gaps: string[] = [];
  readonly #next = new Map<number, number>();
  readonly #attempts = new Map<number, number>();

  /** Hooks that a test may set. */
  beforeAssigned: (partitions: readonly number[]) => Promise<Beginnings | void> = () => Promise.resolve();
  beforeAnswer: (batch: PartitionBatch) => Promise<void> = () => Promise.resolve();
  answer: (batch: PartitionBatch) => number = ({ messages }) => behind(messages);

  async start(stream: EventStream, subscription: Subscription): Promise<void> {
    this.consumer = await stream.consume(subscription, this);
  }

  async close(): Promise<void> {
    await this.consumer?.close();
  }

  async onAssigned(partitions: readonly number[]): Promise<Beginnings | void> {
    this.assignments.push(partitions);
    this.#next.clear();
    const beginnings = await this.beforeAssigned(partitions);
    this.trail.push('assigned');
    return beginnings;
  }

  async onBatch(batch: PartitionBatch): Promise<number> {
    const { partition } = batch;
    if (this.working.has(partition)) this.overlaps.push(partition);
    this.working.add(partition);
    this.mostAtATime = Math.max(this.mostAtATime, this.working.size);
    this.#attempts.set(partition, this.attempts(partition) + 1);
    this.trail.push('batch');
    try {
      await this.beforeAnswer(batch);
      this.batches.push(batch);
      this.#follow(batch);
      return this.answer(batch);
    } finally {
      this.working.delete(partition);
    }
  }

  #follow({ partition, messages }: PartitionBatch): void {
    for (const { offset } of messages) {
      const expected = this.#next.get(partition) ?? offset;
      if (offset > expected) this.gaps.push(`${partition}: ${offset} instead of ${expected}`);
      this.#next.set(partition, offset + 1);
    }
  }

  attempts(partition: number): number {
    return this.#attempts.get(partition) ?? 0;
  }

  get count(): number {
    return this.batches.reduce((sum, { messages }) => sum + messages.length, 0);
  }

  /** A description for the message of a failed wait. */
  summary(): unknown {
    const batches = this.batches.map(({ partition, messages }) => [partition, messages[0]?.offset, messages.length]);
    return { count: this.count, assignments: this.assignments, health: this.consumer?.health(), batches };
  }

  seen(partition: number): readonly StreamMessage[] {
    return this.batches.filter((batch) => batch.partition === partition).flatMap(({ messages }) => messages);
  }
}

export const behind = (messages: readonly StreamMessage[]): number => (messages.at(-1)?.offset ?? -1) + 1;

/** @throws {Error} after a minute, with the condition's text and the state at that time */
export async function until(condition: () => boolean, seen: () => unknown = () => ''): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!condition()) {
    if (performance.now() > deadline)
      throw new Error(`not within a minute: ${condition.toString()} ${JSON.stringify(seen())}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
