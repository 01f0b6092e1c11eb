import { ACCOUNT } from '@laurel/kernel';
import { HTTP_SUITE_CONFIGURATION, LiveStream } from '@laurel/testing/http-suite';
import { TEST_KEY, serveOnFreshDatabase, type Served } from './testing/serve-in-process.ts';

describe('the live feed', () => {
  let served: Served;
  beforeAll(async () => {
    served = await serveOnFreshDatabase(HTTP_SUITE_CONFIGURATION);
  });
  afterAll(async () => {
    // Whoever watched has connected anew: that would be waited for.
    served.http.closeConnections();
    await served.close();
  });

  const KEY = { 'x-api-key': TEST_KEY };
  const watch = (query = '', headers: Record<string, string> = {}) =>
    new LiveStream(`${served.baseUrl}/admin/v1/live${query}`, { ...KEY, ...headers });
  const METRIC = /key: (\w+)/.exec(HTTP_SUITE_CONFIGURATION)?.[1] ?? '';
  async function record(user: string): Promise<string> {
    const answer = await fetch(`${served.baseUrl}/v1/metrics/${METRIC}/event`, {
      method: 'POST',
      headers: { ...KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ user: { id: user }, value: 1 }),
    });
    const { eventId } = (await answer.json()) as { readonly eventId: string };
    return eventId;
  }

  it('sends an event with its effects and resumes after it', async () => {
    const stream = watch();
    const first = await record('ada');
    const { events, last } = await stream.until([first]);
    const shown = events.find(({ id }) => id === first);
    expect(shown).toMatchObject({ userId: 'ada', metric: METRIC, type: 'MetricEventRecorded' });
    expect(shown?.effects.users).toContainEqual(
      expect.objectContaining({ type: 'MetricTotalChanged', metric: METRIC }),
    );
    stream.close();
    const missed = [await record('ada'), await record('grace')];
    const [byHeader, byQuery] = [watch('', { 'last-event-id': last }), watch(`?after=${last}`)];
    for (const again of [byHeader, byQuery]) {
      expect((await again.until(missed)).events.map(({ id }) => id)).toEqual(missed);
      again.close();
    }
  });

  it('filters by user or by metric', async () => {
    const [ofAlan, ofOther] = [watch('?userId=alan'), watch('?metric=no-such-metric')];
    const [alan] = [await record('alan'), await record('grace')];
    const again = await record('alan');
    expect((await ofAlan.until([alan, again])).events.map(({ userId }) => userId)).toEqual(['alan', 'alan']);
    ofAlan.close();
    ofOther.close();
  });

  const refusal = async (query: string, headers: Record<string, string> = KEY) => {
    const response = await fetch(`${served.baseUrl}/admin/v1/live${query}`, { headers });
    return { status: response.status, problem: await response.json() };
  };

  it('refuses invalid parameters and keys without the scope', async () => {
    expect(await refusal('?after=nonsense')).toMatchObject({ status: 422, problem: { errors: [{ path: 'after' }] } });
    expect(await refusal('?userId=a&userId=b')).toMatchObject({
      status: 422,
      problem: { errors: [{ path: 'userId' }] },
    });
    expect(await refusal('', {})).toMatchObject({ status: 401 });
    const { key } = await served.keys.ring.create(ACCOUNT, { label: 'events only', scopes: ['ingest'] }, {});
    expect(await refusal('', { 'x-api-key': key })).toMatchObject({ status: 403 });
  });

  it('admits 32 watchers, and another one once one has left', async () => {
    // With its answer: fetch ends a connection whose answer is garbage.
    const open: { readonly leaving: AbortController; readonly answer: Response }[] = [];
    const join = async () => {
      const leaving = new AbortController();
      const answer = await fetch(`${served.baseUrl}/admin/v1/live`, { headers: KEY, signal: leaving.signal });
      if (answer.status === 200) open.push({ leaving, answer });
      else await answer.body?.cancel();
      return answer.status;
    };
    // Whoever has gone just now may still have a seat.
    while (open.length < 32) await join();
    expect(await refusal('')).toMatchObject({ status: 503, problem: { code: 'overloaded' } });
    open.pop()?.leaving.abort();
    while (open.length < 32) expect([200, 503]).toContain(await join());
    for (const { leaving } of open) leaving.abort();
  });
});
