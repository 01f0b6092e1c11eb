import { pause, type Clock } from '@laurel/ports';
import type { Consumer, EachBatchPayload, Kafka } from 'kafkajs';
import type { Subscription } from '../event-stream.ts';
import { REBALANCE_TIMEOUT_MS, createConsumer, keepAlive } from './consumer-session.ts';
import { within } from './deadline.ts';
import { MembershipWatchdog } from './membership-watchdog.ts';

export interface GroupConsumerDependencies {
  readonly kafka: Kafka;
  readonly clock: Clock;
  readonly subscription: Subscription;
  readonly sessionTimeoutMs: number;
  readonly events: GroupConsumerEvents;
}

/** No event follows `ended`, `leave` or `giveUp`. */
export interface GroupConsumerEvents {
  /** Called with the partitions that the consumer owns from now on. kafkajs fetches only after this has returned. */
  readonly joined: (partitions: readonly number[]) => void;
  /** The broker has answered a heartbeat, so the member still owns its known partitions. */
  readonly heard: () => void;
  /**
   * The consumer's partitions are unknown until the next `joined`. A request sent now still reaches the broker before
   * the consumer joins again.
   */
  readonly unassigned: () => void;
  /** Called only while the consumer's partitions are known. */
  readonly batch: (payload: EachBatchPayload) => Promise<void>;
  /** The consumer no longer works and must be given up. */
  readonly ended: (why: string) => void;
}

const STARTED_WITHIN_MS = 60_000;
const STEP_OF_LEAVING_MS = 10_000;
/** Pause before returning: a batch that must not be handled yet is fetched again at once. */
const IDLE_MS = 250;

/** The life of one kafkajs consumer. */
export class GroupConsumer {
  readonly #dependencies: GroupConsumerDependencies;
  readonly #consumer: Consumer;
  readonly #watchdog: MembershipWatchdog;
  #isOver = false;
  #isLeaving = false;
  /** kafkajs throws on calls to a consumer that is not running. */
  #isRunning = false;
  #isAssigned = false;
  /** The generation of the assignment; null until its first heartbeat. */
  #generation: string | null = null;
  #run: Promise<void> = Promise.resolve();

  constructor(dependencies: GroupConsumerDependencies) {
    this.#dependencies = dependencies;
    const { kafka, clock, subscription, sessionTimeoutMs } = dependencies;
    this.#consumer = createConsumer(kafka, subscription, sessionTimeoutMs);
    this.#watchdog = new MembershipWatchdog({
      clock,
      sessionTimeoutMs,
      rebalanceTimeoutMs: REBALANCE_TIMEOUT_MS,
      onStuck: (why) => this.#end(why),
    });
    this.#follow();
  }

  get kafkaConsumer(): Consumer {
    return this.#consumer;
  }

  /** Resolves when the consumer has begun to join. Rejects if no broker can be reached or the topic does not exist. */
  async start(): Promise<void> {
    try {
      await within(this.#dependencies.clock, STARTED_WITHIN_MS, 'the brokers did not answer', this.#connect());
    } catch (error) {
      await this.giveUp();
      throw error;
    }
    if (this.#isOver || this.#isLeaving) return;
    this.#isRunning = true;
    this.#watchdog.start();
    // Resolves with the first join, which may have to wait for the batches of other members.
    this.#run = this.#consumer
      .run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        partitionsConsumedConcurrently: this.#dependencies.subscription.concurrency,
        eachBatch: (payload) => this.#eachBatch(payload),
      })
      .catch((error: unknown) => this.#end(textOf(error)));
  }

  async #connect(): Promise<void> {
    await this.#consumer.connect();
    await this.#consumer.subscribe({ topic: this.#dependencies.subscription.topic, fromBeginning: true });
  }

  pause(partition: number): void {
    if (this.#isRunning) this.#consumer.pause(this.#selection(partition));
  }

  resume(partition: number): void {
    if (this.#isRunning) this.#consumer.resume(this.#selection(partition));
  }

  seek(partition: number, offset: number): void {
    const { topic } = this.#dependencies.subscription;
    if (this.#isRunning) this.#consumer.seek({ topic, partition, offset: String(offset) });
  }

  /** Commits positions of the group; rejects if the outcome is unknown. */
  async commit(positions: readonly { readonly partition: number; readonly offset: string }[]): Promise<void> {
    const { clock, subscription } = this.#dependencies;
    const offsets = positions.map((position) => ({ topic: subscription.topic, ...position }));
    await within(clock, STEP_OF_LEAVING_MS, 'not recorded', this.#consumer.commitOffsets(offsets));
  }

  /** Leaves the group. Never rejects. */
  async leave(): Promise<void> {
    this.#isLeaving = true;
    this.#watchdog.stop();
    // A member that is still joining could not leave.
    await within(this.#dependencies.clock, STEP_OF_LEAVING_MS, 'still joining', this.#run).catch(() => undefined);
    await this.giveUp();
  }

  /** Never rejects. Waits a few seconds at most, because kafkajs may wait for an answer for ever. */
  async giveUp(): Promise<void> {
    this.#isOver = true;
    this.#watchdog.stop();
    const gone = this.#consumer.disconnect();
    this.#isRunning = false;
    await within(this.#dependencies.clock, STEP_OF_LEAVING_MS, 'not disconnected', gone).catch(() => undefined);
  }

  #follow(): void {
    const { topic } = this.#dependencies.subscription;
    const { GROUP_JOIN, REBALANCING, HEARTBEAT, STOP, CRASH } = this.#consumer.events;
    this.#consumer.on(GROUP_JOIN, ({ payload }) => this.#joined(payload.memberAssignment[topic] ?? []));
    this.#consumer.on(REBALANCING, () => this.#rebalancing());
    this.#consumer.on(HEARTBEAT, ({ payload }) => this.#heard(`${payload.memberId} ${payload.groupGenerationId}`));
    this.#consumer.on(STOP, () => this.#stopped());
    this.#consumer.on(CRASH, ({ payload }) => this.#end(textOf(payload.error)));
  }

  get #isFollowed(): boolean {
    return !this.#isOver && !this.#isLeaving;
  }

  #joined(partitions: readonly number[]): void {
    // kafkajs cannot be stopped during its first join, and would stay in the group; this error makes the join fail.
    if (this.#isOver) throw new Error('this consumer has been given up');
    if (this.#isLeaving) return;
    this.#isAssigned = true;
    this.#generation = null;
    this.#watchdog.joined();
    // kafkajs keeps paused partitions paused over a rebalance.
    this.#consumer.resume(this.#consumer.paused());
    this.#dependencies.events.joined(partitions);
  }

  #rebalancing(): void {
    if (!this.#isFollowed) return;
    this.#watchdog.joining();
    this.#unassign();
  }

  /** A heartbeat of another generation shows that kafkajs has joined again, but failed before it reported that. */
  #heard(generation: string): void {
    if (!this.#isFollowed) return;
    if (this.#isAssigned && (this.#generation ??= generation) !== generation) {
      this.#watchdog.assignmentLost();
      this.#unassign();
    }
    this.#watchdog.heard();
    if (this.#isAssigned) this.#dependencies.events.heard();
  }

  async #eachBatch(payload: EachBatchPayload): Promise<void> {
    if (!this.#isFollowed) return;
    if (this.#isAssigned) return this.#handle(payload);
    this.#watchdog.heard();
    await pause(this.#dependencies.clock, IDLE_MS);
  }

  async #handle(payload: EachBatchPayload): Promise<void> {
    const { clock, sessionTimeoutMs, events } = this.#dependencies;
    const stop = keepAlive(payload, { clock, sessionTimeoutMs, onRebalance: () => this.#awaited() });
    await events.batch(payload).finally(stop);
  }

  /** During a rebalance, the broker lets it keep its partitions until it has finished its batches. */
  #awaited(): void {
    if (!this.#isFollowed || !this.#isAssigned) return;
    this.#watchdog.heard();
    this.#dependencies.events.heard();
  }

  /** kafkajs has stopped because of a crash. The event of the crash follows, unless disconnecting hangs. */
  #stopped(): void {
    this.#isRunning = false;
    if (this.#isFollowed) this.#unassign();
  }

  #unassign(): void {
    if (!this.#isAssigned) return;
    this.#isAssigned = false;
    this.#dependencies.events.unassigned();
  }

  #end(why: string): void {
    if (!this.#isFollowed) return;
    this.#isOver = true;
    this.#watchdog.stop();
    this.#dependencies.events.ended(why);
  }

  #selection(partition: number): { topic: string; partitions: number[] }[] {
    return [{ topic: this.#dependencies.subscription.topic, partitions: [partition] }];
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
