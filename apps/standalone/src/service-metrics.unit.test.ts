import { ServiceMetrics } from './service-metrics.ts';
import type { Service } from './start-service.ts';

/** A service of which no two numbers are the same. */
const service = {
  engine: {
    status: () => ({
      waiting: 2,
      waitingBytes: 3_000,
      head: 4,
      damagedUsers: 5,
      sweepLagMs: 6_500,
      areas: [{ failure: null }, { failure: 'it cannot be read' }, { failure: null }],
    }),
  },
  dataSource: { driver: { master: { totalCount: 9, idleCount: 2, waitingCount: 8 } } },
  storage: { latest: null },
} as unknown as Service;

const values = async ({ metrics }: ServiceMetrics): Promise<Readonly<Record<string, number>>> =>
  Object.fromEntries(
    (await metrics.text())
      .split('\n')
      .filter((line) => line.startsWith('laurel_'))
      .map((line) => [line.replace(/[{ ].*/, ''), Number(line.replace(/.* /, ''))]),
  );

describe('the metrics of a service', () => {
  it('show the values at the time of the scrape', async () => {
    const observed = new ServiceMetrics('public');
    observed.observe(service);
    expect(await values(observed)).toMatchObject({
      laurel_waiting: 2,
      laurel_waiting_bytes: 3_000,
      laurel_log_position: 4,
      laurel_users_damaged: 5,
      laurel_sweep_lag_seconds: 6.5,
      laurel_areas_stopped: 1,
      laurel_pool_in_use: 7,
      laurel_pool_open: 9,
      laurel_pool_waiting: 8,
    });
  });

  it('show commit times in seconds', async () => {
    const observed = new ServiceMetrics('public');
    observed.onCommitted(12, 250);
    observed.onCommitted(30, 1_250);
    expect(await values(observed)).toMatchObject({
      laurel_batch_commands_sum: 42,
      laurel_batch_commands_count: 2,
      laurel_commit_seconds_sum: 1.5,
      laurel_commit_seconds_count: 2,
    });
  });
});
