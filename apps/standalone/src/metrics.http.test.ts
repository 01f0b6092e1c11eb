import { serveOnFreshDatabase, SPACE, type Served } from './testing/serve-in-process.ts';

const CONFIGURATION = 'version: 1\nmetrics: [{ key: runs, name: Runs }]';

describe('the metrics of a standalone service', () => {
  let served: Served;

  beforeEach(async () => {
    served = await serveOnFreshDatabase(CONFIGURATION);
  });
  afterEach(async () => {
    await served.close();
  });

  const send = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${served.baseUrl}${path}`, {
      method: 'POST',
      headers: { 'x-api-key': served.apiKey, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return response.status;
  };
  const event = (value: unknown, key: string) =>
    send('/v1/metrics/runs/event', { user: { id: 'ada' }, value }, { 'idempotency-key': key });

  /** Every series, by its name and labels. */
  async function scrape(): Promise<ReadonlyMap<string, number>> {
    const text = await (await fetch(`${served.baseUrl}/metrics`)).text();
    const lines = text.split('\n').filter((line) => line.startsWith('laurel_'));
    return new Map(
      lines.map((line) => {
        const [series = '', value] = line.replace(/,process="standalone"|process="standalone",?/, '').split(' ');
        return [series.replace('{}', ''), Number(value)];
      }),
    );
  }

  it('count recorded, replayed and refused events and the status of each answer', async () => {
    for (const key of ['a', 'b', 'c']) expect(await event(1, key)).toBe(201);
    expect(await event(1, 'a')).toBe(202);
    expect(await event('one', 'd')).toBe(422);
    const series = await scrape();
    expect(series.get('laurel_events_total{outcome="recorded",code=""}')).toBe(3);
    expect(series.get('laurel_events_total{outcome="replayed",code=""}')).toBe(1);
    expect(series.get('laurel_events_total{outcome="refused",code="invalid_request"}')).toBe(1);
    const answered = (status: number) =>
      series.get(`laurel_http_response_seconds_count{method="POST",route="/v1/metrics/:key/event",status="${status}"}`);
    expect([201, 202, 422].map(answered)).toEqual([3, 1, 1]);
  });

  it('count each event of a batch under its own outcome and code', async () => {
    const user = { id: 'ada' };
    const events = [
      { metric: 'runs', user, value: 1, idempotencyKey: 'k' },
      { metric: 'runs', user, value: 1, idempotencyKey: 'k' },
      { metric: 'swims', user, value: 1 },
      { metric: 'runs', user, value: 'one' },
      'no event',
    ];
    expect(await send('/admin/v1/metrics/events', events)).toBe(200);
    const counted = [...(await scrape())].filter(([series]) => series.startsWith('laurel_events_total'));
    expect(new Map(counted)).toEqual(
      new Map([
        ['laurel_events_total{outcome="recorded",code=""}', 1],
        ['laurel_events_total{outcome="replayed",code=""}', 1],
        ['laurel_events_total{outcome="refused",code="unknown_metric"}', 1],
        ['laurel_events_total{outcome="refused",code="invalid_request"}', 2],
      ]),
    );
  });

  it('show the number of commands in each committed batch', async () => {
    const before = await scrape();
    for (const key of ['a', 'b', 'c']) await event(1, key);
    await event(1, 'a');
    const after = await scrape();
    const grown = (name: string) => (after.get(name) ?? Number.NaN) - (before.get(name) ?? Number.NaN);
    // The replay changes nothing, so nothing is committed for it.
    expect(grown('laurel_batch_commands_count')).toBe(3);
    expect(grown('laurel_batch_commands_sum')).toBe(3);
    expect(grown('laurel_commit_seconds_count')).toBe(3);
  });

  it('show what is waiting, the use of the pool and the size of the database', async () => {
    await event(1, 'a');
    let series = await scrape();
    // The reader of outcomes looks a moment behind each event, and then nobody uses the pool.
    while (series.get('laurel_pool_in_use') !== 0) series = await scrape();
    expect(series.get('laurel_waiting')).toBe(0);
    expect(series.get('laurel_waiting_bytes')).toBe(0);
    expect(series.get('laurel_areas_stopped')).toBe(0);
    expect(series.get('laurel_users_damaged')).toBe(0);
    expect(series.get('laurel_log_position')).toBe(served.service.engine.status().head);
    expect(series.get('laurel_database_bytes')).toBeGreaterThan(1_000_000);
    expect(series.get('laurel_wal_bytes')).toBeGreaterThan(1_000_000);
    expect(series.get('laurel_disk_free_bytes')).toBe(SPACE.freeBytes);
    expect(series.get('laurel_disk_total_bytes')).toBe(SPACE.totalBytes);
    expect(series.get('laurel_pool_open')).toBeGreaterThan(0);
    expect(series.get('laurel_pool_waiting')).toBe(0);
    await served.service.engine.sweep();
    expect((await scrape()).get('laurel_sweep_lag_seconds')).toBeLessThan(20);
  });
});
