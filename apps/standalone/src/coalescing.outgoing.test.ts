import { startSending, until as untilWithin, type SendingStandalone } from '@laurel/testing/outgoing';

const CONFIGURATION = `
version: 1
metrics: [{ key: words, name: Words }]
points: [{ key: xp, name: XP, triggers: [{ type: metric, metric: words, threshold: 1, points: 10 }] }]
leaderboards: [{ key: words, name: Words, rankBy: metric, metric: words, start: 2020-01-01 }]
outgoing: { events: [points.changed, leaderboard.rank_changed] }
`;
const INTERVAL_S = 900;
const LONGEST_WAIT_MS = 60_000;

// Answers are read by the names of their fields.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Json = any;

const until = (what: string, condition: () => Promise<boolean>): Promise<void> =>
  untilWithin(what, condition, LONGEST_WAIT_MS);

describe('a webhook with a minimum interval', () => {
  let clock = '12:30:00Z,frozen';
  let sending: SendingStandalone | null = null;
  let standalone: SendingStandalone['standalone'];
  let receiver: SendingStandalone['receiver'];

  beforeAll(async () => {
    sending = await startSending({ configuration: CONFIGURATION, clock: () => `2026-03-06T${clock}`, seed: 1 });
    ({ standalone, receiver } = sending);
  });
  afterAll(async () => {
    await sending?.stop();
  });

  async function ask(method: string, path: string, body?: unknown): Promise<Response> {
    const headers = {
      'x-api-key': standalone.apiKey,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await fetch(`${standalone.url}${path}`, init);
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  }

  const write = (id: string, value: number) => ask('POST', '/v1/metrics/words/event', { user: { id }, value });

  async function outcomes(): Promise<readonly Json[]> {
    const text = await (await ask('GET', '/admin/v1/outcomes?limit=1000')).text();
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  }

  /** Waits until so many outcomes were made, and the endpoint holds back so many deliveries and has no others. */
  const heldBack = (made: number, held: number): Promise<void> =>
    until(`${held} of ${made} are held back`, async () => {
      const { length } = await outcomes();
      const [{ behind, unfinished, heldBack: kept }] = (await (await ask('GET', '/admin/v1/webhooks')).json()) as Json;
      return length === made && behind === 0 && unfinished === held && kept === held;
    });

  async function killAndStartAt(time: string): Promise<void> {
    await standalone.kill();
    clock = time;
    await standalone.start();
  }

  it('sends one coalesced notification, from the first state to the last, also after kill -9', async () => {
    await write('bob', 5);
    await until('Bob is told of', async () => (await outcomes()).length === 2);
    const request = { url: `${receiver.url}/held`, minimumInterval: INTERVAL_S };
    const { secret } = (await (await ask('POST', '/admin/v1/webhooks', request)).json()) as Json;
    receiver.expect({ '/held': secret });
    await write('ada', 3);
    await heldBack(4, 2);
    await killAndStartAt('12:40:00Z,frozen');
    await heldBack(4, 2);
    await write('ada', 4);
    await heldBack(6, 2);
    await killAndStartAt('12:44:59Z,frozen');
    await heldBack(6, 2);
    expect(receiver.arrivals()).toEqual([]);
    // It goes on, as what the receiver does not accept is sent again.
    await killAndStartAt('12:45:00Z');
    await heldBack(6, 0);
    const arrivals = receiver.arrivals();
    expect(arrivals.map(({ path, signed }) => [path, signed])).toEqual(arrivals.map(() => ['/held', true]));
    const bodies = [...new Set(arrivals.map(({ body }) => body))].map((body) => JSON.parse(body) as Json);
    const [points, rank] = (await outcomes()).slice(-2);
    expect(points).toMatchObject({ type: 'points.changed', points: { added: 40, total: 70 } });
    expect(rank).toMatchObject({ type: 'leaderboard.rank_changed', previousRank: 2, previousValue: 3 });
    const awards = [
      expect.objectContaining({ awarded: 30, total: 30 }),
      expect.objectContaining({ awarded: 40, total: 70 }),
    ];
    expect(bodies.toSorted((one, other) => one.sequence - other.sequence)).toEqual([
      { ...points, points: { ...points.points, added: 70, awards } },
      { ...rank, previousRank: null, previousValue: null },
    ]);
    expect(new Set(arrivals.map(({ id }) => id))).toEqual(new Set([points.id, rank.id]));
  });
});
