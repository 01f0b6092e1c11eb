import { observeStorage, poolUse } from '@laurel/database';
import { EventCounts } from '@laurel/ingestion';
import { Metrics, type MetricsAccess } from '@laurel/runtime';
import type { Service, ServiceEvents } from './start-service.ts';

/** Numbers of commands in a batch, which has at most 250. */
const BATCH_BUCKETS = [1, 2, 5, 10, 25, 50, 100, 150, 200, 250];
/** Upper limits in seconds. */
const COMMIT_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The metrics of a standalone process. */
export class ServiceMetrics {
  readonly metrics: Metrics;
  readonly counts = new EventCounts();
  /** Called for each batch that the engine commits. */
  readonly onCommitted: NonNullable<ServiceEvents['onCommitted']>;

  constructor(access: MetricsAccess) {
    this.metrics = new Metrics('standalone', access);
    this.counts.observeBy(this.metrics);
    const size = this.metrics.spread(
      { name: 'laurel_batch_commands', help: 'Commands in a committed batch.' },
      BATCH_BUCKETS,
    );
    const time = this.metrics.spread(
      { name: 'laurel_commit_seconds', help: 'Time that the database took for a batch.' },
      COMMIT_BUCKETS,
    );
    this.onCommitted = (commands, ms) => {
      size(commands);
      time(ms / 1_000);
    };
  }

  observe({ engine, dataSource, storage }: Service): void {
    const { metrics } = this;
    metrics.observe('laurel_waiting', 'Commands taken in and not yet answered.', () => engine.status().waiting);
    metrics.observe('laurel_waiting_bytes', 'What those commands take.', () => engine.status().waitingBytes);
    metrics.observe('laurel_log_position', 'Position of the newest record of the log.', () => engine.status().head);
    metrics.observe(
      'laurel_areas_stopped',
      'Halted areas; events are parked for them.',
      () => engine.status().areas.filter(({ failure }) => failure !== null).length,
    );
    metrics.observe(
      'laurel_users_damaged',
      'Users whose stored state cannot be read.',
      () => engine.status().damagedUsers,
    );
    metrics.observe(
      'laurel_sweep_lag_seconds',
      'Time since everything that had fallen due was last settled.',
      () => engine.status().sweepLagMs / 1_000,
    );
    this.#observePool(dataSource);
    observeStorage(metrics, storage);
  }

  #observePool(dataSource: Service['dataSource']): void {
    const { metrics } = this;
    metrics.observe('laurel_pool_in_use', 'Pooled database connections in use.', () => poolUse(dataSource).inUse);
    metrics.observe('laurel_pool_open', 'Pooled database connections open.', () => poolUse(dataSource).open);
    metrics.observe('laurel_pool_waiting', 'Callers that wait for one.', () => poolUse(dataSource).waiting);
  }
}
