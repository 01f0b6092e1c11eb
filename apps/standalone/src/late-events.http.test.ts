import { Client, type Json } from '@laurel/testing/http-suite';
import { TEST_KEY, serveOnFreshDatabase, type Served } from './testing/serve-in-process.ts';

const METRICS = 'metrics: [{ key: lessons, name: Lessons }, { key: words, name: Words }]';
const STREAK = 'streak: { frequency: daily, conditions: [{ metric: lessons, threshold: 1 }] }';
const DAY = 86_400_000;
const USERS = ['ada', 'bob', 'cem'];

interface Item {
  readonly user: { readonly id: string };
  readonly metric: string;
  readonly value: number;
  readonly timestamp: string;
}

/** In an order of no meaning, each instant more than once. */
const ITEMS: readonly Item[] = Array.from({ length: 60 }, (_, n) => ({
  user: { id: USERS[(n * 7) % 3] as string },
  metric: n % 4 === 0 ? 'words' : 'lessons',
  value: (n % 3) - 1,
  timestamp: new Date(Date.UTC(2026, 0, 1) + ((n * 11) % 17) * DAY).toISOString(),
}));

/** Which of these are before the latest event that their user has by then. */
function lateAmong(items: readonly Item[]): readonly boolean[] {
  const latest = new Map<string, number>();
  return items.map(({ user, timestamp }) => {
    const before = latest.get(user.id) ?? -Infinity;
    const at = Date.parse(timestamp);
    latest.set(user.id, Math.max(before, at));
    return at < before;
  });
}

describe.each([
  ['with a streak', `version: 1\n${METRICS}\n${STREAK}\n`],
  ['without a streak', `version: 1\n${METRICS}\n`],
])('events before the latest event of their user, %s,', (_, configuration) => {
  let served: Served;
  const client = new Client(() => served);

  beforeEach(async () => {
    served = await serveOnFreshDatabase(configuration);
  });
  afterEach(async () => {
    await served?.close();
  });

  const lateOf = (results: readonly Json[]) => results.map(({ late }) => late ?? false);

  it.each(['', '?results=full'])('are marked late in a batch%s, and no others are', async (query) => {
    const expected = lateAmong(ITEMS);
    expect(new Set(expected)).toEqual(new Set([true, false]));
    const first = await client.batch(ITEMS.slice(0, 25), query);
    const second = await client.batch(ITEMS.slice(25), query);
    expect(lateOf([...first.json.results, ...second.json.results])).toEqual(expected);
  });

  it('are marked late in a stream', async () => {
    const answer = await fetch(`${served.baseUrl}/admin/v1/metrics/events`, {
      ...{ method: 'POST', headers: { 'x-api-key': TEST_KEY, 'content-type': 'application/x-ndjson' } },
      body: ITEMS.map((item) => `${JSON.stringify(item)}\n`).join(''),
    });
    const lines = (await answer.text()).trimEnd().split('\n');
    expect(lateOf(lines.map((line) => JSON.parse(line) as Json))).toEqual(lateAmong(ITEMS));
  });

  it('are not late when they are replayed, and profiles and grants make no event late', async () => {
    const item = (timestamp: string, key: string) => ({
      ...{ user: { id: 'ada' }, metric: 'lessons', value: 1, timestamp, idempotencyKey: key },
    });
    const items = [item('2026-01-02T00:00:00Z', 'a'), item('2026-01-01T00:00:00Z', 'b')];
    expect(lateOf((await client.batch(items)).json.results)).toEqual([false, true]);
    expect(lateOf((await client.batch(items)).json.results)).toEqual([false, false]);
    await client.send('PUT', '/v1/users/bob', { body: { name: 'Bob' } });
    const bob = { user: { id: 'bob' }, metric: 'lessons', value: 1, timestamp: '2026-01-01T00:00:00Z' };
    expect(lateOf((await client.batch([bob])).json.results)).toEqual([false]);
  });
});
