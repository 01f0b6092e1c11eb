import { EventEmitter } from 'node:events';
import type { EachBatchPayload } from 'kafkajs';

/** Emits the events of a test. Like kafkajs, it throws on calls while it is not running. */
export class FakeConsumer extends EventEmitter {
  readonly events = {
    GROUP_JOIN: 'join',
    REBALANCING: 'rebalancing',
    HEARTBEAT: 'heartbeat',
    STOP: 'stop',
    CRASH: 'crash',
  };
  readonly told: string[] = [];
  pausedPartitions: readonly number[] = [];
  /** Number of disconnects. Negative to make disconnecting never end. */
  disconnects = 0;
  /** The error of connecting; null if it succeeds. */
  failure: Error | null = null;
  eachBatch: (payload: EachBatchPayload) => Promise<void> = () => Promise.resolve();
  #runs = false;

  connect = (): Promise<void> => (this.failure ? Promise.reject(this.failure) : Promise.resolve());
  subscribe = (): Promise<void> => Promise.resolve();
  paused = () => [{ topic: 't', partitions: this.pausedPartitions }];
  pause = ([{ partitions }]: [{ partitions: readonly number[] }]): void => this.#tell('pause', partitions);
  resume = ([{ partitions }]: [{ partitions: readonly number[] }]): void => this.#tell('resume', partitions);
  seek = ({ partition }: { partition: number }): void => this.#tell('seek', [partition]);

  run({ eachBatch }: { eachBatch: (payload: EachBatchPayload) => Promise<void> }): Promise<void> {
    this.#runs = true;
    this.eachBatch = eachBatch;
    return Promise.resolve();
  }

  disconnect(): Promise<void> {
    this.disconnects++;
    return this.disconnects > 0 ? Promise.resolve() : new Promise(() => undefined);
  }

  /** The group assigns it the partitions 0 and 1 of the topic `t`. */
  join(): void {
    this.emit('join', { payload: { memberAssignment: { t: [0, 1] } } });
  }

  heartbeat(generation: number): void {
    this.emit('heartbeat', { payload: { memberId: 'm', groupGenerationId: generation } });
  }

  stop(): void {
    this.#runs = false;
    this.emit('stop', {});
  }

  crash(message: string): void {
    this.stop();
    this.emit('crash', { payload: { error: new Error(message) } });
  }

  #tell(what: string, partitions: readonly number[]): void {
    if (!this.#runs) throw new Error('Consumer group was not initialized, consumer#run must be called first');
    if (partitions.length > 0) this.told.push(`${what} ${partitions.join()}`);
  }
}
