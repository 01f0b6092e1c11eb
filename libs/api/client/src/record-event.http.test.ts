import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLaurelClient, type LaurelClient } from './laurel-client.ts';
import { recordEvent } from './record-event.ts';

interface Answer {
  readonly status: number;
  readonly body: object;
  readonly retryAfter?: string;
}

const ANSWER = { eventId: 'e', metricId: 'm', total: 1, achievements: [], points: {}, leaderboards: {} };
const refused = (status: number, code: string, retryAfter = '0'): Answer => ({
  status,
  body: { code, detail: code },
  retryAfter,
});
const EVENT = { user: { id: 'ada' }, value: 1 };

let server: Server;
let laurel: LaurelClient;
let answers: (Answer | 'no answer')[];
let keys: IncomingHttpHeaders[string][];

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      keys.push(request.headers['idempotency-key']);
      const answer = answers.shift() ?? { status: 500, body: {} };
      if (answer === 'no answer') return void request.socket.destroy();
      const { status, body, retryAfter } = answer;
      const headers = { 'content-type': 'application/json', ...(retryAfter && { 'retry-after': retryAfter }) };
      response.writeHead(status, headers).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  laurel = createLaurelClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
beforeEach(() => {
  answers = [];
  keys = [];
});
afterAll(async () => {
  await laurel.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

describe('recordEvent', () => {
  it('sends its own idempotency key, a new one with each call', async () => {
    answers = [
      { status: 201, body: ANSWER },
      { status: 201, body: ANSWER },
    ];
    await recordEvent(laurel, 'lessons', EVENT);
    await recordEvent(laurel, 'lessons', EVENT);
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    expect(keys[0]).not.toBe(keys[1]);
  });

  it('retries a refused or unanswered request with the same key', async () => {
    answers = [refused(503, 'overloaded'), 'no answer', refused(429, 'rate_limited'), { status: 202, body: ANSWER }];
    const { total } = await recordEvent(laurel, 'lessons', EVENT, { idempotencyKey: 'lesson 42' });
    expect(total).toBe(1);
    expect(keys).toEqual(['lesson 42', 'lesson 42', 'lesson 42', 'lesson 42']);
  });

  it('throws the refusal when its retries are used up', async () => {
    answers = [refused(503, 'overloaded'), refused(503, 'unavailable')];
    await expect(recordEvent(laurel, 'lessons', EVENT, { retries: 1 })).rejects.toMatchObject({ code: 'unavailable' });
    expect(keys).toHaveLength(2);
  });

  it('does not retry what would be refused again', async () => {
    answers = [refused(422, 'invalid_request')];
    await expect(recordEvent(laurel, 'lessons', EVENT)).rejects.toMatchObject({ code: 'invalid_request' });
    expect(keys).toHaveLength(1);
  });

  it('returns a pending answer at once by default', async () => {
    answers = [{ status: 201, body: { ...ANSWER, pending: ['points'] } }];
    expect(await recordEvent(laurel, 'lessons', EVENT)).toMatchObject({ pending: ['points'] });
    expect(keys).toHaveLength(1);
  });

  it('waits for pending areas on request and keeps the effects of the first answer', async () => {
    const achievements = [{ key: 'first' }];
    const points = { xp: { total: 10 } };
    const replay = { ...ANSWER, total: 7, idempotentReplayed: true };
    answers = [
      { status: 201, body: { ...ANSWER, achievements, idempotentReplayed: false, pending: ['points'] } },
      { status: 202, body: { ...replay, pending: ['points'] } },
      { status: 202, body: { ...replay, points } },
    ];
    const answer = await recordEvent(laurel, 'lessons', EVENT, { waitForPendingMs: 60_000 });
    expect(answer).toEqual({ ...ANSWER, achievements, idempotentReplayed: false, points });
    expect(new Set(keys).size).toBe(1);
  });

  it('stops waiting when it is aborted', async () => {
    const controller = new AbortController();
    answers = [refused(503, 'overloaded', '30')];
    const call = recordEvent(laurel, 'lessons', EVENT, { signal: controller.signal });
    setImmediate(() => controller.abort());
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
  });
});
