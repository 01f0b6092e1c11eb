import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { type UserCommand, type RecordMetricEvent, type Refused, StoreUnavailableError } from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import { type BatchResult, streamResult } from '@laurel/schemas';
import { createClock, createHttpApplication, createLogger, fullScopeKey, Health } from '@laurel/runtime';
import { subjectOf } from '@laurel/testing/subjects';
import { ManualClock } from '@laurel/testing/clock';
import { historyOf, MemoryDirectory, MemoryIntake, sampleConfiguration } from '@laurel/testing/http-modules';
import { EventCounts } from './event-counts.ts';
import { IngestionModule } from './ingestion-module.ts';
import type { IngestionPorts } from './ports.ts';

const KEY = 'key-of-twenty-four-characters';
const PATH = '/admin/v1/metrics/events';
const NOT_ASKED_HERE = {} as Pick<
  IngestionPorts,
  | 'users'
  | 'achievements'
  | 'erasures'
  | 'composeUserAnswer'
  | 'composeCompletionAnswer'
  | 'composeGrantAnswer'
  | 'composeSpendAnswer'
  | 'composeRefundAnswer'
>;

/** @param limits what the limits of streams go by; absent: the machine's clock */
async function openHttp(limits?: Clock) {
  const configuration = sampleConfiguration('default');
  const intake = new MemoryIntake(configuration);
  const clock = createClock({ type: 'frozen', at: Date.UTC(2026, 5, 1, 12) });
  const counts = new EventCounts();
  const directory = new MemoryDirectory();
  const ports: IngestionPorts = {
    intake,
    corrections: null,
    requests: { find: () => Promise.resolve(null) },
    directory,
    clock,
    counts,
    configuration: () => historyOf(configuration),
    writeEventAnswer: () => '',
    composeEventAnswer: ({ eventId, sections }, { metric, idempotencyKey }) => ({
      metricId: metric.id,
      eventId,
      total: Number(sections.users?.total ?? 0n) / 1e6,
      achievements: [],
      currentStreak: null,
      points: {},
      leaderboards: {},
      ...(idempotencyKey === 'big' && { idempotencyKey: 'x'.repeat(16 * 1024) }),
    }),
    ...NOT_ASKED_HERE,
  };
  const http = await createHttpApplication({
    modules: [IngestionModule.register(ports)],
    keys: fullScopeKey(KEY, 'default'),
    health: new Health(clock),
    logger: createLogger('error', { write: () => undefined }),
    ...(limits && { clock: limits }),
  });
  const url = await http.listen(0, '127.0.0.1');
  return { http, intake, directory, counts, url };
}

let http: Awaited<ReturnType<typeof openHttp>>;
const open: Exchange[] = [];
beforeEach(async () => {
  http = await openHttp();
});
afterEach(async () => {
  for (const exchange of open.splice(0)) exchange.cut();
  await http.http.close();
});

/** One request whose body and answer are under way at the same time. */
class Exchange {
  readonly request: ClientRequest;
  readonly results: BatchResult[] = [];
  readonly answered: Promise<IncomingMessage>;
  ended = false;
  #held: Promise<void> = Promise.resolve();

  constructor(query = '', headers: Readonly<Record<string, string>> = {}) {
    open.push(this);
    this.request = httpRequest(`${http.url}${PATH}${query}`, {
      method: 'POST',
      agent: false,
      headers: { 'x-api-key': KEY, 'content-type': 'application/x-ndjson', ...headers },
    });
    this.request.on('error', () => (this.ended = true));
    this.answered = once(this.request, 'response').then(([response]) => response as IncomingMessage);
    this.answered.then((response) => this.#read(response)).catch(() => (this.ended = true));
  }

  send(...lines: readonly unknown[]): this {
    this.request.write(lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));
    return this;
  }

  async all(): Promise<BatchResult[]> {
    this.request.end();
    await until(() => this.ended);
    return this.results;
  }

  async first(count: number): Promise<BatchResult[]> {
    await until(() => this.results.length >= count || this.ended);
    return this.results;
  }

  /** Reads nothing of the answer until what is given back is called. */
  hold(): () => void {
    let release: () => void = () => undefined;
    this.#held = new Promise((resolve) => (release = resolve));
    return release;
  }

  cut(): void {
    this.request.destroy();
  }

  async #read(response: IncomingMessage): Promise<void> {
    let text = '';
    try {
      for await (const bytes of response.setEncoding('utf8')) {
        const lines = (text + String(bytes)).split('\n');
        text = lines.pop() ?? '';
        await this.#held;
        this.results.push(...lines.map((line) => streamResult.parse(JSON.parse(line)) as BatchResult));
      }
    } finally {
      this.ended = true;
    }
  }
}

class CountingClock extends ManualClock {
  timersSet = 0;

  override after(...timer: Parameters<ManualClock['after']>): ReturnType<ManualClock['after']> {
    this.timersSet++;
    return super.after(...timer);
  }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await turn();
}

const event = (id: string, value: unknown = 1, more = {}) => ({ metric: 'commits', user: { id }, value, ...more });
const values = () => (http.intake.submitted as RecordMetricEvent[]).map(({ value }) => Number(value) / 1e6);
const statuses = (results: readonly BatchResult[]) => results.map(({ index, status }) => [index, status]);
const refusal = (reason: Refused['reason'], eventId: string | null = null): Refused => ({
  kind: 'refused',
  reason,
  eventId,
  retryAfterMs: 1_000,
});

describe('a stream of events', () => {
  it('is answered line by line, in order, while it is being sent', async () => {
    const exchange = new Exchange().send(event('a'), event('a', 2));
    expect(await exchange.first(2)).toEqual([
      { index: 0, status: 201, eventId: 'event-1' },
      { index: 1, status: 201, eventId: 'event-2' },
    ]);
    const response = await exchange.answered;
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'application/x-ndjson']);
    expect(statuses(await exchange.send(event('b', 3)).all())).toEqual([
      [0, 201],
      [1, 201],
      [2, 201],
    ]);
    expect(values()).toEqual([1, 2, 3]);
    expect(http.counts.recorded).toBe(3);
  });

  it('has the same results as a batch of the same events', async () => {
    const events = [
      event('a', 0.1, { idempotencyKey: 'k' }),
      event('a', 5, { idempotencyKey: 'k' }),
      { metric: 'none', user: { id: 'a' }, value: 1 },
      event('a', 'two'),
      event('a', 1, { timestamp: '2026-06-01T12:05:01Z' }),
      7,
      event('b', 2, { timestamp: '2020-01-01T00:00:00Z' }),
    ];
    const streamed = await new Exchange().send(...events).all();
    await http.http.close();
    http = await openHttp();
    const response = await fetch(`${http.url}${PATH}`, {
      method: 'POST',
      headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
      body: JSON.stringify(events),
    });
    expect(streamed).toEqual(((await response.json()) as { results: BatchResult[] }).results);
    expect(streamed.map(({ status }) => status)).toEqual([201, 202, 404, 422, 422, 422, 201]);
  });

  it('has the whole answer of each event with results=full, and refuses other values', async () => {
    const [result] = await new Exchange('?results=full').send(event('a', 1.5)).all();
    expect(result).toMatchObject({ status: 201, body: { total: 1.5 } });
    expect((await new Exchange('?results=some').send(event('a')).answered).statusCode).toBe(422);
  });

  it('may be empty, contain blank lines, which count, and lack a final newline', async () => {
    expect(await new Exchange().all()).toEqual([]);
    const exchange = new Exchange().send('\ufeff', '', ' \r', event('a'));
    exchange.request.write(JSON.stringify(event('b')));
    expect(statuses(await exchange.all())).toEqual([
      [3, 201],
      [4, 201],
    ]);
  });

  it('reports a bad line by its index and continues', async () => {
    const most = JSON.stringify(event('a', 2)).padEnd(64 * 1024);
    const results = await new Exchange()
      .send(
        event('a'),
        '{"metric":',
        most,
        `${most} `,
        '\xff'.repeat(3),
        `${'['.repeat(65)}${']'.repeat(65)}`,
        event('a', 3),
      )
      .all();
    expect(statuses(results)).toEqual([
      [0, 201],
      [1, 400],
      [2, 201],
      [3, 413],
      [4, 400],
      [5, 400],
      [6, 201],
    ]);
    expect(results[1]).toMatchObject({
      code: 'malformed_body',
      error: expect.stringMatching(/^The line is not JSON: expected .* at column 11/),
    });
    expect(results[3]).toMatchObject({
      code: 'body_too_large',
      error: 'The line is longer than 64 KiB (65536 bytes).',
    });
    expect(values()).toEqual([1, 2, 3]);
    expect(http.counts.refused).toEqual(
      new Map([
        ['malformed_body', 3],
        ['body_too_large', 1],
      ]),
    );
  });

  it('is ended with a message after twenty consecutive lines that are not JSON', async () => {
    const bad = Array.from({ length: 19 }, () => 'x');
    const exchange = new Exchange().send(event('a'), ...bad, event('a', 2), ...bad, '', 'y', event('a', 3));
    const results = await exchange.first(1_000);
    expect(results).toHaveLength(42);
    expect(results.at(-2)).toMatchObject({ index: 41, status: 400 });
    expect(results.at(-1)).toEqual({
      status: 400,
      code: 'malformed_body',
      error: expect.stringMatching(/^The last 20 lines, up to index 41, are not JSON/),
    });
    expect(values()).toEqual([1, 2]);
  });

  it('is refused by its content type at routes for JSON, and when it is compressed', async () => {
    const at = (path: string, headers = {}) =>
      fetch(`${http.url}${path}`, {
        method: 'POST',
        headers: { 'x-api-key': KEY, 'content-type': 'application/x-ndjson', ...headers },
        body: '{}\n',
      }).then(async (response) => [response.status, ((await response.json()) as { error: string }).error]);
    expect(await at('/admin/v1/imports')).toEqual([
      415,
      'The Content-Type must be application/json, not application/x-ndjson.',
    ]);
    expect(await at(PATH, { 'content-encoding': 'gzip' })).toEqual([415, 'The body must not be compressed.']);
    expect(await at(PATH, { 'content-type': 'text/csv' })).toEqual([
      415,
      'The Content-Type must be application/json or application/x-ndjson, not text/csv.',
    ]);
    expect(await at(PATH, { 'x-api-key': 'another-key-of-24-characters' })).toEqual([401, expect.anything()]);
  });
});

describe('the memory of a stream', () => {
  it('holds at most a thousand unanswered events', async () => {
    const release = http.intake.hold();
    const exchange = new Exchange();
    const lines = Array.from({ length: 1_000 }, (_, index) => JSON.stringify(event('a', index)).padEnd(1_000));
    let written = 0;
    // Until the service reads no more, and the socket's buffers are full.
    for (let quiet = 0; quiet < 20 && written < 100;) {
      if (!exchange.request.writableNeedDrain) {
        exchange.send(...lines);
        written++;
        quiet = 0;
      } else quiet++;
      await sleep(5);
    }
    expect(written).toBeLessThan(100);
    expect([http.intake.underWay, http.intake.mostUnderWay <= 1_000]).toEqual([http.intake.mostUnderWay, true]);
    release();
    expect(await exchange.all()).toHaveLength(written * 1_000);
    expect(http.intake.mostUnderWay).toBeLessThanOrEqual(1_000);
    expect(values()).toEqual(Array.from({ length: written * 1_000 }, (_, index) => index % 1_000));
  });

  it('is limited in bytes as well: 70 MiB pass a few lines at a time', async () => {
    const line = JSON.stringify(event('a')).padEnd(63 * 1024);
    const exchange = new Exchange();
    const total = 1_140;
    for (let sent = 0; sent < total; sent += 10) {
      exchange.send(...Array.from({ length: 10 }, () => line));
      if (exchange.request.writableNeedDrain) await once(exchange.request, 'drain');
    }
    expect(await exchange.all()).toHaveLength(total);
    expect(http.intake.mostUnderWay).toBeLessThanOrEqual(16);
  });

  it('stops growing while the client does not read the results', async () => {
    const exchange = new Exchange('?results=full');
    const release = exchange.hold();
    exchange.send(...Array.from({ length: 5_000 }, () => event('a', 1, { idempotencyKey: 'big' })));
    let seen = 0;
    for (let quiet = 0; quiet < 20; quiet++, await sleep(5)) {
      if (http.intake.submitted.length > seen) quiet = 0;
      seen = http.intake.submitted.length;
    }
    expect(seen).toBeLessThan(3_000);
    release();
    expect(await exchange.all()).toHaveLength(5_000);
  });

  it('is reserved for sixteen streams, and the next one is refused', async () => {
    const streams = Array.from({ length: 16 }, () => new Exchange().send(event('a')));
    const taken = await Promise.all(streams.map((stream) => stream.first(1)));
    expect(taken.map(statuses)).toEqual(streams.map(() => [[0, 201]]));
    const refused = await new Exchange().send(event('a')).answered;
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '1']);
    await streams[0]?.all();
    expect(await new Exchange().send(event('a')).all()).toHaveLength(1);
  });
});

describe('a stream of new users', () => {
  /** From now on, `before` goes before each answer of the directory. */
  function inDirectory(before: (call: number) => Promise<void>): void {
    const { directory } = http;
    const assignAll = directory.assignAll.bind(directory);
    let calls = 0;
    directory.assignAll = async (...asked) => {
      await before(calls++);
      return assignAll(...asked);
    };
  }
  const many = Array.from({ length: 600 }, (_, index) => index);
  const sendMany = () => new Exchange().send(...many.map((value) => event('a', value))).all();

  it('keeps its order, however long their subjects take', async () => {
    inDirectory(async (call) => {
      // It is held until a later chunk has passed the one that asks, or has had ample time to.
      const { length } = http.intake.submitted;
      for (let turns = 0; call < 2 && turns < 50 && http.intake.submitted.length === length; turns++) await sleep(5);
    });
    await sendMany();
    expect(values()).toEqual(many);
  });

  it('waits for an unreachable directory', async () => {
    inDirectory((call) => (call === 1 ? Promise.reject(new StoreUnavailableError('gone')) : Promise.resolve()));
    const results = await sendMany();
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set([201]));
    expect(values()).toEqual(many);
  });
});

describe('a stream that is cut off', () => {
  it('keeps the answered events and leaves no open stream', async () => {
    const exchange = new Exchange().send(event('a'), event('a', 2));
    await exchange.first(2);
    exchange.request.write('{"metric":"commits","user":{"id":"a"},"val');
    exchange.cut();
    await sleep(20);
    expect(values()).toEqual([1, 2]);
    expect(await new Exchange().send(event('a', 3)).all()).toHaveLength(1);
  });

  it('records the submitted events once and submits no more', async () => {
    const release = http.intake.hold();
    const requests: IncomingMessage[] = [];
    http.http.fastify.server.on('request', (request) => requests.push(request));
    // All that a stream may submit at a time, and some that wait, behind which it reads on and meets the cut.
    const exchange = new Exchange().send(...Array.from({ length: 1_100 }, (_, index) => event('a', index)));
    await until(() => http.intake.underWay === 1_000);
    exchange.cut();
    await until(() => requests[0]?.destroyed === true);
    await sleep(100);
    const submitted = http.intake.submitted.length;
    release();
    await until(() => http.intake.underWay === 0);
    await sleep(100);
    expect(http.intake.submitted.length).toBe(submitted);
    expect(http.counts.recorded).toBe(submitted);
  });
});

describe('a stream whose events are refused', () => {
  it.each(['overloaded', 'unavailable'] as const)('waits and keeps the order (%s)', async (reason) => {
    let refusals = 3;
    http.intake.refuse(() => (refusals-- > 0 ? refusal(reason) : null));
    const results = await new Exchange().send(...Array.from({ length: 600 }, (_, index) => event('a', index))).all();
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set([201]));
    // The first three were turned away, and with them all that was behind them.
    expect(values().slice(-3)).not.toEqual([]);
    expect([...values()].sort((a, b) => a - b)).toEqual(Array.from({ length: 600 }, (_, index) => index));
  });

  it('finds out the outcome of an event with a key, and reports an unknown outcome without one', async () => {
    const seen = new Set<UserCommand>();
    http.intake.refuse((command) => {
      if (seen.has(command) || (command as RecordMetricEvent).value !== 1_000_000n) return null;
      seen.add(command);
      return refusal('unknown', 'event-1');
    });
    const results = await new Exchange()
      .send(event('a', 1, { idempotencyKey: 'k' }), event('b', 1), event('c', 2))
      .all();
    expect(results).toEqual([
      { index: 0, status: 201, eventId: expect.any(String) },
      { index: 1, status: 503, eventId: 'event-1', code: 'outcome_unknown', error: expect.any(String) },
      { index: 2, status: 201, eventId: expect.any(String) },
    ]);
  });

  it('skips a user whose stored state is damaged', async () => {
    let isDamaged = true;
    http.intake.refuse(({ subject }) => (isDamaged && subject === subjectOf('ada') ? refusal('damaged') : null));
    const exchange = new Exchange().send(event('ada'), event('bob'));
    await exchange.first(2);
    isDamaged = false;
    const results = await exchange.send(event('ada', 2), event('bob', 2)).all();
    expect(results.map(({ status, code }) => [status, code])).toEqual([
      [503, 'state_damaged'],
      [201, undefined],
      [503, 'state_damaged'],
      [201, undefined],
    ]);
    expect(values()).toEqual([1, 2]);
  });
});

describe('the end of a stream', () => {
  it('comes after two minutes without any input, and no sooner', async () => {
    const limits = new CountingClock();
    await http.http.close();
    http = await openHttp(limits);
    const exchange = new Exchange().send(event('a'));
    await exchange.first(1);
    const line = `${JSON.stringify(event('a', 2))}\n`;
    // A piece of a line is a sign of life as well.
    for (const chunk of [line.slice(0, 9), line.slice(9)]) {
      await limits.advance(119_999);
      const { timersSet } = limits;
      exchange.request.write(chunk);
      await until(() => limits.timersSet > timersSet);
    }
    expect(statuses(await exchange.first(2))).toEqual([
      [0, 201],
      [1, 201],
    ]);
    await limits.advance(120_000);
    await until(() => exchange.ended);
    expect(exchange.results.slice(2)).toEqual([
      { status: 408, code: 'request_timeout', error: expect.stringContaining('for 120 seconds') },
    ]);
    expect(values()).toEqual([1, 2]);
  });

  it('comes when the service stops: submitted events are answered and the last line says why', async () => {
    const exchange = new Exchange().send(event('a'));
    await exchange.first(1);
    const closed = http.http.close();
    await until(() => exchange.ended);
    expect(exchange.results).toEqual([
      { index: 0, status: 201, eventId: 'event-1' },
      { status: 503, code: 'unavailable', error: expect.stringContaining('stopping') },
    ]);
    exchange.request.end();
    await closed;
  });

  it('is not caused by the request timeout, which ends other slow requests', async () => {
    const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    const sockets: object[] = [];
    let requests = 0;
    http.http.fastify.server.on('connection', (socket) => sockets.push(socket)).on('request', () => requests++);
    const stream = new Exchange().send(event('a'));
    await stream.first(1);
    http.http.fastify.server.emit('clientError', late, sockets[0]);
    expect(statuses(await stream.send(event('a')).all())).toEqual([
      [0, 201],
      [1, 201],
    ]);
    const slow = new Exchange('', { 'content-type': 'application/json' });
    slow.request.write('[');
    await until(() => sockets.length === 2 && requests === 2);
    http.http.fastify.server.emit('clientError', late, sockets[1]);
    expect((await slow.answered).statusCode).toBe(408);
  });
});
