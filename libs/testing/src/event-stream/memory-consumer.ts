import type {
  ConsumerHealth,
  PartitionHandler,
  PartitionHealth,
  StreamConsumer,
  Subscription,
} from '@laurel/event-stream';
import type { MemoryGroup } from './memory-group.ts';

export interface MemoryConsumerDependencies {
  readonly group: MemoryGroup;
  readonly subscription: Subscription;
  readonly handler: PartitionHandler;
  readonly batchSize: number;
  readonly retryDelays: readonly number[];
}

/** The partitions of a consumer between two rebalances. */
interface Tenure {
  readonly partitions: readonly number[];
  readonly positions: Map<number, number>;
  readonly failures: Map<number, { attempts: number; error: unknown }>;
}

export class MemoryConsumer implements StreamConsumer {
  readonly #dependencies: MemoryConsumerDependencies;
  readonly #underWay = new Set<Promise<void>>();
  readonly #wakeSleepers = new Set<() => void>();
  #tenure: Tenure | null = null;
  #preparing: Promise<void> = Promise.resolve();
  #trouble: string | null = null;
  #isClosed = false;

  constructor(dependencies: MemoryConsumerDependencies) {
    this.#dependencies = dependencies;
  }

  get assigned(): readonly number[] | null {
    return this.#tenure?.partitions ?? null;
  }

  health(): ConsumerHealth {
    const { topic, group } = this.#dependencies.subscription;
    const partitions = this.#tenure?.partitions.map((partition) => this.#healthOf(partition)) ?? [];
    return { topic, group, partitions, trouble: this.#trouble };
  }

  readOn(partition: number, offset: number): void {
    if (!this.#tenure?.partitions.includes(partition)) return;
    this.#tenure.positions.set(partition, offset);
    this.#dependencies.group.topic.wake();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.revoke();
    this.#dependencies.group.leave(this);
  }

  async revoke(): Promise<void> {
    this.#tenure = null;
    this.#dependencies.group.topic.wake();
    for (const wake of this.#wakeSleepers) wake();
    await Promise.all(this.#underWay);
  }

  assign(partitions: readonly number[]): void {
    if (this.#isClosed) return;
    const tenure: Tenure = { partitions, positions: new Map(), failures: new Map() };
    this.#tenure = tenure;
    this.#preparing = this.#preparing.then(() => this.#prepare(tenure));
    const places = new Places(this.#dependencies.subscription.concurrency);
    for (const partition of partitions) void this.#preparing.then(() => this.#consume(tenure, partition, places));
  }

  async #prepare(tenure: Tenure): Promise<void> {
    for (let attempt = 0; this.#tenure === tenure; attempt++) {
      try {
        const wanted = await this.#dependencies.handler.onAssigned(tenure.partitions);
        for (const partition of tenure.partitions)
          tenure.positions.set(partition, this.#beginning(partition, wanted?.get(partition)));
        this.#trouble = null;
        return;
      } catch (error) {
        this.#trouble = String(error);
        await this.#sleep(attempt);
      }
    }
  }

  #beginning(partition: number, wanted: number | undefined): number {
    const { group, subscription } = this.#dependencies;
    if (wanted !== undefined) return wanted > group.topic.end(partition) ? 0 : wanted;
    const { from } = subscription;
    if (from === 'beginning') return group.positions.get(partition) ?? 0;
    return group.topic.offsetAt(partition, Date.now() - from.agoMs);
  }

  async #consume(tenure: Tenure, partition: number, places: Places): Promise<void> {
    while (this.#tenure === tenure) {
      const place = await places.take();
      const work = this.#step(tenure, partition);
      const settled = work.then(() => undefined);
      this.#underWay.add(settled);
      const outcome = await work;
      this.#underWay.delete(settled);
      place.leave();
      if (this.#tenure !== tenure) return;
      if (outcome === 'empty') await this.#dependencies.group.topic.next();
      if (outcome === 'failed') await this.#sleep((tenure.failures.get(partition)?.attempts ?? 1) - 1);
    }
  }

  /** Handles one batch, if there is one. Never rejects. */
  async #step(tenure: Tenure, partition: number): Promise<'done' | 'empty' | 'failed'> {
    const { group, handler, batchSize } = this.#dependencies;
    const { topic } = group;
    const messages = this.#tenure === tenure ? topic.read(partition, this.#position(tenure, partition), batchSize) : [];
    if (messages.length === 0) return 'empty';
    const end = topic.end(partition);
    // Yields as a network would: a handler that always seeks back must not block everything else.
    await new Promise((resolve) => setImmediate(resolve));
    try {
      const next = await handler.onBatch({ topic: topic.name, partition, messages, end });
      if (!(Number.isSafeInteger(next) && next >= 0 && next <= end))
        throw new RangeError(`${next} is no offset up to ${end}`);
      tenure.positions.set(partition, next);
      tenure.failures.delete(partition);
      group.positions.set(partition, next);
      return 'done';
    } catch (error) {
      tenure.failures.set(partition, { attempts: (tenure.failures.get(partition)?.attempts ?? 0) + 1, error });
      return 'failed';
    }
  }

  #position(tenure: Tenure, partition: number): number {
    return tenure.positions.get(partition) ?? 0;
  }

  #healthOf(partition: number): PartitionHealth {
    const position = this.#tenure?.positions.get(partition);
    const lag = position === undefined ? null : this.#dependencies.group.topic.end(partition) - position;
    return { partition, lag, failure: this.#tenure?.failures.get(partition) ?? null };
  }

  async #sleep(attempt: number): Promise<void> {
    const { retryDelays } = this.#dependencies;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#wakeSleepers.delete(end);
        resolve();
      };
      const timer = setTimeout(end, retryDelays[Math.min(attempt, retryDelays.length - 1)]);
      this.#wakeSleepers.add(end);
    });
  }
}

/** Limits concurrent handlers, first come, first served. */
class Places {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  async take(): Promise<{ leave(): void }> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return { leave: () => this.#leave() };
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}
