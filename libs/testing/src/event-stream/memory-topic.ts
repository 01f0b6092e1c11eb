import type { SentMessage, StreamMessage, TopicSpecification } from '@laurel/event-stream';

interface Kept {
  readonly message: StreamMessage;
  readonly at: number;
}

/** The messages of a topic, and the readers that wait for more. */
export class MemoryTopic {
  readonly name: string;
  readonly retentionMs: number | null;
  readonly compactionLagMs: number | null;
  #partitions: readonly Kept[][] = [];
  #waiting: (() => void)[] = [];

  constructor({ name, partitions, retentionMs, compactionLagMs }: TopicSpecification) {
    this.name = name;
    this.retentionMs = retentionMs;
    this.compactionLagMs = compactionLagMs;
    this.clear(partitions);
  }

  clear(partitions: number): void {
    this.#partitions = Array.from({ length: partitions }, () => []);
  }

  get partitions(): number {
    return this.#partitions.length;
  }

  append({ partition, key, value, headers }: SentMessage): void {
    const kept = this.#of(partition);
    kept.push({ message: { offset: kept.length, key, value: value ?? '', headers }, at: Date.now() });
    this.wake();
  }

  read(partition: number, from: number, count: number): readonly StreamMessage[] {
    return this.#of(partition)
      .slice(from, from + count)
      .map(({ message }) => message);
  }

  ends(): readonly number[] {
    return this.#partitions.map((kept) => kept.length);
  }

  end(partition: number): number {
    return this.#of(partition).length;
  }

  /** The offset of the first message that is not older, or the end if all are older. */
  offsetAt(partition: number, instant: number): number {
    const found = this.#of(partition).findIndex(({ at }) => at >= instant);
    return found < 0 ? this.end(partition) : found;
  }

  /** Resolves at the next message, or at the next {@link wake}. */
  async next(): Promise<void> {
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Wakes waiting readers for another reason than a message. */
  wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  #of(partition: number): Kept[] {
    const kept = this.#partitions[partition];
    if (!kept) throw new RangeError(`topic ${this.name} has no partition ${partition}`);
    return kept;
  }
}
