import { pause, type Clock } from '@laurel/ports';
import type { PartitionBatch, PartitionHandler, StreamMessage } from '@laurel/event-stream';
import type { PartitionCheckpoint } from '../checkpoint.ts';
import type { PartitionStore } from '../partition-store.ts';
import type { PartitionWorker } from '../partition-worker.ts';
import { PoisonError, originOf } from '../protocol.ts';

export interface ReplayDependencies {
  readonly partitions: number;
  /** The checkpoints of the running service. The replay stops where the service is. */
  readonly live: Pick<PartitionStore, 'read'>;
  /** Opens a worker that applies the input again, into separate tables. */
  readonly openWorker: (partition: number) => PartitionWorker;
  readonly clock: Clock;
}

/** Pause before looking again how far the running service has come. */
const LOOK_AGAIN_MS = 50;

type Received = PartitionCheckpoint['received'];

/** Applies the input of a service again, from its beginning up to where the running service is. */
export class ChainReplay implements PartitionHandler {
  readonly #dependencies: ReplayDependencies;
  readonly #workers = new Map<number, PartitionWorker>();
  readonly #goals = new Map<number, Received>();
  #applied = 0;
  #failure: unknown = null;

  constructor(dependencies: ReplayDependencies) {
    this.#dependencies = dependencies;
  }

  /** Messages applied again so far. */
  get applied(): number {
    return this.#applied;
  }

  onAssigned(): Promise<void> {
    return Promise.resolve();
  }

  async onBatch({ partition, messages, end }: PartitionBatch): Promise<number> {
    const within = await this.#withinGoal(partition, messages);
    const first = messages[0] as StreamMessage;
    if (within.length === 0) {
      await this.#pause();
      return first.offset;
    }
    try {
      const next = await this.#workerOf(partition).onBatch({ messages: within, end });
      this.#applied += within.length;
      return next;
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }

  /**
   * Whether every partition has reached the running service. @throws the error of a message that could not be applied
   */
  async hasCaughtUp(): Promise<boolean> {
    if (this.#failure !== null) throw this.#failure as Error;
    for (let partition = 0; partition < this.#dependencies.partitions; partition++) {
      const goal = await this.#lookAtGoal(partition);
      if (!reaches(this.#workers.get(partition)?.checkpoint?.received ?? new Map(), goal)) return false;
    }
    return true;
  }

  /** Partitions whose outputs got other numbers than those of the service. Call this once the replay has caught up. */
  async partitionsSentOtherwise(): Promise<readonly number[]> {
    const differing: number[] = [];
    for (let partition = 0; partition < this.#dependencies.partitions; partition++) {
      const { sent } = await this.#dependencies.live.read(partition);
      const again = this.#workers.get(partition)?.checkpoint?.sent ?? new Map<number, number>();
      if (sent.size !== again.size || !reaches(again, sent) || !reaches(sent, again)) differing.push(partition);
    }
    return differing;
  }

  /** The leading messages that the running service has applied. */
  async #withinGoal(partition: number, messages: readonly StreamMessage[]): Promise<readonly StreamMessage[]> {
    const known = upTo(messages, this.#goals.get(partition) ?? new Map());
    return known.length > 0 ? known : upTo(messages, await this.#lookAtGoal(partition));
  }

  async #lookAtGoal(partition: number): Promise<Received> {
    const { received } = await this.#dependencies.live.read(partition);
    this.#goals.set(partition, received);
    return received;
  }

  #workerOf(partition: number): PartitionWorker {
    const worker = this.#workers.get(partition) ?? this.#dependencies.openWorker(partition);
    this.#workers.set(partition, worker);
    return worker;
  }

  #pause(): Promise<void> {
    return pause(this.#dependencies.clock, LOOK_AGAIN_MS);
  }
}

function upTo(messages: readonly StreamMessage[], goal: Received): readonly StreamMessage[] {
  const beyond = messages.findIndex((message) => !isWithin(message, goal));
  return beyond < 0 ? messages : messages.slice(0, beyond);
}

/** A service stops at a message that does not follow the protocol, so the replay stops there, too. */
function isWithin(message: StreamMessage, goal: Received): boolean {
  try {
    const { source, sequence } = originOf(message);
    return sequence <= (goal.get(source) ?? 0);
  } catch (error) {
    if (error instanceof PoisonError) return false;
    throw error;
  }
}

const reaches = (received: Received, goal: Received): boolean =>
  [...goal].every(([source, sequence]) => (received.get(source) ?? 0) >= sequence);
