import type { Clock } from '@laurel/ports';
import type { Consumer, EachBatchPayload, Kafka } from 'kafkajs';
import {
  RETRY_DELAYS,
  type Beginnings,
  type ConsumerHealth,
  type PartitionBatch,
  type Subscription,
} from '../event-stream.ts';
import { GroupConsumer } from './group-consumer.ts';
import type { StreamLog } from './kafka-client.ts';
import { LagWatch } from './lag-watch.ts';
import { Membership } from './membership.ts';
import { Timers } from './timers.ts';
import { workOnBatch } from './work-on-batch.ts';

export interface GroupMemberDependencies {
  readonly kafka: Kafka;
  readonly clock: Clock;
  readonly subscription: Subscription;
  readonly sessionTimeoutMs: number;
  readonly log: StreamLog | undefined;
  readonly offsets: OffsetRequests;
  readonly onAssigned: (partitions: readonly number[]) => Promise<Beginnings | void>;
  readonly onBatch: (batch: PartitionBatch) => Promise<unknown>;
}

/** Offsets by partition. */
export interface OffsetRequests {
  ends(topic: string): Promise<readonly number[]>;
  /** The first message that is not older than the instant; the end if all are older. */
  at(topic: string, instant: number): Promise<readonly number[]>;
  /** The position of a group; the first retained message if it has none. */
  ofGroup(group: string, topic: string): Promise<readonly number[]>;
}

const RECORD_EVERY_MS = 1_000;
/** Begins short: kafkajs gives up at once while a coordinator is loading, which takes only a moment. */
const RESTART_DELAYS: readonly number[] = [200, 500, 1_000, 5_000];

/** A permanent member of a consumer group: it rejoins, reconnects, and replaces a broken consumer. */
export class GroupMember {
  readonly #dependencies: GroupMemberDependencies;
  readonly #retries: Timers;
  readonly #background: Timers;
  readonly #lagWatch: LagWatch;
  readonly #underWay = new Set<Promise<void>>();
  #consumer: GroupConsumer | null = null;
  #membership: Membership | null = null;
  #preparing: Promise<void> = Promise.resolve();
  #heardAtMs = 0;
  #trouble: string | null = null;
  #crashes = 0;
  #recordDue = false;
  #closing: Promise<void> | null = null;

  constructor(dependencies: GroupMemberDependencies) {
    this.#dependencies = dependencies;
    this.#retries = new Timers(dependencies.clock);
    this.#background = new Timers(dependencies.clock);
    const topic = dependencies.subscription.topic;
    this.#lagWatch = new LagWatch({
      clock: dependencies.clock,
      ends: () => dependencies.offsets.ends(topic),
      groupPositions: () => dependencies.offsets.ofGroup(dependencies.subscription.group, topic),
      membership: () => this.#membership,
      onTrouble: (err) =>
        dependencies.log?.('warn', 'could not ask the broker where the partitions end; retrying', { topic, err }),
    });
  }

  get consumer(): Consumer | null {
    return this.#consumer?.kafkaConsumer ?? null;
  }

  get assigned(): readonly number[] | null {
    if (this.#membership === null) return null;
    const { clock, sessionTimeoutMs } = this.#dependencies;
    // After a freeze or a network failure, the broker may have reassigned the partitions without this member's knowledge.
    return clock.elapsedMs() - this.#heardAtMs > sessionTimeoutMs ? null : this.#membership.partitions;
  }

  health(): ConsumerHealth {
    const { topic, group } = this.#dependencies.subscription;
    const partitions = this.assigned === null ? [] : (this.#membership?.health() ?? []);
    return { topic, group, partitions, trouble: this.#trouble };
  }

  /** Resolves when the member has begun to join. Rejects if no broker can be reached or the topic does not exist. */
  async start(): Promise<void> {
    await this.#join();
    this.#lagWatch.start();
  }

  async close(): Promise<void> {
    await (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    this.#lagWatch.stop();
    this.#background.cancel();
    this.#retries.cancel();
    // A handler that is still taking partitions over must finish before their next owner does.
    await Promise.allSettled([...this.#underWay, this.#preparing]);
    await this.#record(this.#membership);
    this.#membership = null;
    await this.#consumer?.leave();
  }

  async #join(): Promise<void> {
    const { kafka, clock, subscription, sessionTimeoutMs } = this.#dependencies;
    const consumer: GroupConsumer = new GroupConsumer({
      kafka,
      clock,
      subscription,
      sessionTimeoutMs,
      events: {
        joined: (partitions) => this.#joined(partitions),
        heard: () => this.#heard(),
        unassigned: () => this.#unassigned(),
        batch: (payload) => this.#eachBatch(payload),
        ended: (why) => this.#replace(consumer, why),
      },
    });
    this.#consumer = consumer;
    try {
      await consumer.start();
    } catch (error) {
      if (this.#consumer === consumer) this.#consumer = null;
      throw error;
    }
  }

  #heard(): void {
    this.#heardAtMs = this.#dependencies.clock.elapsedMs();
  }

  #joined(partitions: readonly number[]): void {
    if (this.#closing) return;
    this.#heard();
    this.#trouble = null;
    this.#crashes = 0;
    this.#retries.cancel();
    const membership = new Membership(partitions);
    this.#membership = membership;
    this.#preparing = membership.prepared = this.#preparing.then(() => this.#prepare(membership));
  }

  #unassigned(): void {
    void this.#record(this.#membership);
    this.#membership = null;
    this.#retries.cancel();
  }

  async #prepare(membership: Membership): Promise<void> {
    for (let attempt = 0; this.#isCurrent(membership); attempt++) {
      try {
        const beginnings = await this.#dependencies.onAssigned(membership.partitions);
        await this.#chooseBeginnings(membership, beginnings ?? new Map());
        this.#trouble = null;
        return;
      } catch (error) {
        this.#warn(`the assignment could not be taken over: ${textOf(error)}`);
        if (this.#isCurrent(membership)) await this.#retries.wait(delayAfter(attempt));
      }
    }
  }

  async #chooseBeginnings(membership: Membership, wanted: Beginnings): Promise<void> {
    const { subscription, offsets, clock } = this.#dependencies;
    const { topic, from } = subscription;
    if (from === 'beginning' && wanted.size === 0) return;
    const byTime = from === 'beginning' ? [] : await offsets.at(topic, clock.now() - from.agoMs);
    const ends = wanted.size === 0 ? [] : await offsets.ends(topic);
    if (!this.#isCurrent(membership)) return;
    for (const partition of membership.partitions) {
      const place = wanted.get(partition);
      const offset = place === undefined ? byTime[partition] : place > (ends[partition] ?? 0) ? 0 : place;
      if (offset !== undefined) this.#beginAt(membership, partition, offset);
    }
  }

  /** Implements {@link import('../event-stream.ts').StreamConsumer.readOn}. */
  readOn(partition: number, offset: number): void {
    if (this.#membership !== null) this.#beginAt(this.#membership, partition, offset);
  }

  #beginAt(membership: Membership, partition: number, offset: number): void {
    const progress = membership.of(partition);
    if (!progress) return;
    progress.beginAt = progress.position = offset;
    this.#consumer?.seek(partition, offset);
  }

  #isCurrent(membership: Membership): boolean {
    return this.#membership === membership && this.#closing === null;
  }

  async #eachBatch(payload: EachBatchPayload): Promise<void> {
    const membership = this.#membership;
    if (membership === null || !this.#isCurrent(membership)) return;
    const isCurrent = (): boolean => this.#isCurrent(membership);
    const work = workOnBatch({
      payload,
      membership,
      isCurrent,
      answer: (batch) => this.#dependencies.onBatch(batch),
      // The current batch is finished even while this closes, but not after a rebalance.
      mayGoOn: () => this.#membership === membership,
      moved: () => this.#moved(),
      failed: (partition, attempts) => isCurrent() && this.#failed(partition, attempts),
    });
    this.#underWay.add(work);
    await work.finally(() => this.#underWay.delete(work));
  }

  #moved(): void {
    if (this.#recordDue || this.#closing) return;
    this.#recordDue = true;
    this.#background.after(RECORD_EVERY_MS, () => {
      this.#recordDue = false;
      void this.#record(this.#membership);
    });
  }

  #failed(partition: number, attempts: number): void {
    const consumer = this.#consumer;
    consumer?.pause(partition);
    this.#retries.after(delayAfter(attempts - 1), () => consumer?.resume(partition));
  }

  /** Commits the group's position, which only saves the next owner work: a failure does no harm. */
  async #record(membership: Membership | null): Promise<void> {
    const positions = membership?.takeUnrecorded() ?? [];
    if (positions.length > 0) await this.#consumer?.commit(positions).catch(() => undefined);
  }

  #replace(consumer: GroupConsumer, why: string): void {
    if (this.#closing || consumer !== this.#consumer) return;
    this.#consumer = null;
    this.#membership = null;
    this.#retries.cancel();
    const gone = consumer.giveUp();
    this.#tryAgain(gone, why);
  }

  #tryAgain(gone: Promise<void>, why: string): void {
    this.#warn(`the consumer is replaced: ${why}`);
    this.#background.after(delayAfter(this.#crashes++, RESTART_DELAYS), () => void this.#joinAgain(gone));
  }

  /** Waits for the batches of the previous consumer, because calls for one partition must not overlap. */
  async #joinAgain(gone: Promise<void>): Promise<void> {
    await gone;
    await Promise.allSettled(this.#underWay);
    if (this.#closing) return;
    try {
      await this.#join();
    } catch (error) {
      if (!this.#closing) this.#tryAgain(Promise.resolve(), textOf(error));
    }
  }

  #warn(trouble: string): void {
    const { subscription, log } = this.#dependencies;
    this.#trouble = trouble;
    log?.('warn', trouble, { topic: subscription.topic, group: subscription.group });
  }
}

const delayAfter = (attempt: number, delays: readonly number[] = RETRY_DELAYS): number =>
  delays[Math.min(attempt, delays.length - 1)] ?? 0;

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
