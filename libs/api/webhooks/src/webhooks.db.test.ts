import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OUTCOME_TYPES, StoreUnavailableError, type SqlReader, type WebhookChanged } from '@laurel/kernel';
import { ExactNumber, writeJson, type JsonNumber } from '@laurel/schemas';
import { dataSourceOf, webhookMigrations } from '@laurel/database';
import { directoryMigrations } from '@laurel/directory';
import { deliveriesOfUser, type DeliveryOfUser, type Outcome, type Outcomes } from '@laurel/outgoing';
import { ManualClock } from '@laurel/testing/clock';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { Webhook } from 'standardwebhooks';
import type { DataSource } from 'typeorm';
import { MOST_IN_PROGRESS, MOST_OF_ENDPOINT } from './delivery/dispatcher.ts';
import { MOST_HELD } from './delivery/take-outcomes.ts';
import { MOST_ENDPOINTS } from './endpoints/endpoints.ts';
import { SecretBox } from './secrets/secret-box.ts';
import { Webhooks } from './webhooks.ts';
import type { WebhooksDependencies } from './webhooks-dependencies.ts';

const HOURS = 3_600_000;
const DAYS = 24 * HOURS;
/** The time of a whole schedule passes in steps that are shorter than the limit of an answer. */
const SCALE = 0.001;
const SCALED_HOUR = HOURS * SCALE;

class MemoryOutcomes implements Outcomes {
  readonly kept: Outcome[] = [];
  #listener: () => void = () => undefined;

  read(_account: string, { after, limit, types }: Parameters<Outcomes['read']>[1]) {
    const asked = this.kept.filter(({ sequence, type }) => sequence > after && (types?.includes(type) ?? true));
    return Promise.resolve(asked.slice(0, limit));
  }
  oldest = () => Promise.resolve(this.kept[0]?.sequence ?? this.kept.length + 1);
  newest = () => Promise.resolve(this.kept.at(-1)?.sequence ?? 0);
  onWritten(listener: () => void) {
    this.#listener = listener;
    return () => undefined;
  }

  add(
    userKey: string | null,
    type = 'streak.extended',
    padding = '',
    fields: object = {},
    timestamp = 0,
    otherKeys: readonly string[] = [],
  ): Outcome {
    const sequence = (this.kept.at(-1)?.sequence ?? 0) + 1;
    const id = `00000000-0000-5000-8000-${String(sequence).padStart(12, '0')}`;
    const body = writeJson({ id, type, sequence, user: userKey, padding, ...fields });
    const outcome: Outcome = { sequence, id, type, userKey, otherKeys, timestamp, body };
    this.kept.push(outcome);
    this.#listener();
    return outcome;
  }
}

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly path: string | undefined;
  readonly body: string;
  readonly sequence: number;
  readonly user: string | null;
}

describe('webhooks', () => {
  let database: TestDatabase;
  let server: Server;
  let url: string;
  /** How each request is answered; by default with 200. */
  let answer: (received: Received, response: ServerResponse) => void;
  let received: Received[];
  let clock: ManualClock;
  let outcomes: MemoryOutcomes;
  let troubles: unknown[];
  /** Statements of lists. */
  let listed: string[];
  const recorded: unknown[] = [];
  const opened: { webhooks: Webhooks; dataSource: DataSource }[] = [];

  beforeAll(async () => {
    database = await openTestDatabase([...directoryMigrations, ...webhookMigrations]);
    server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const body = Buffer.concat(parts).toString();
        const { sequence, user } = JSON.parse(body) as { sequence: number; user: string | null };
        const one = { headers: request.headers, path: request.url, body, sequence, user };
        received.push(one);
        answer(one, response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await database.close();
  });
  beforeEach(async () => {
    await database.sql.query('truncate webhook_endpoints, webhook_deliveries, subjects', []);
    [clock, outcomes, received, troubles, listed] = [new ManualClock(), new MemoryOutcomes(), [], [], []];
    answer = (_, response) => void response.end();
    await clock.advance(Date.UTC(2026, 0, 1));
  });
  afterEach(async () => {
    await stop();
    expect(troubles).toEqual([]);
  });

  /** As a process that starts. */
  async function open(
    retryScale = 1,
    dependencies: Partial<Pick<WebhooksDependencies, 'caughtUp' | 'madeTypes'>> = {},
  ): Promise<Webhooks> {
    const dataSource = await dataSourceOf(database.connection, []).initialize();
    const box = new SecretBox(() => 'a key for tests, 24+ characters');
    const listing: SqlReader = {
      query: (text, values) => {
        listed.push(text);
        return database.sql.query(text, values);
      },
    };
    const webhooks = await Webhooks.open({
      ...{
        dataSource,
        listing: { sql: listing, outcomes },
        outcomes,
        clock,
        account: 'acme',
        box,
        allow: ['127.0.0.1'],
        retryScale,
      },
      ...{ onFailure: (error) => troubles.push(error), onDisabled: () => undefined },
      record: async (_account, change) => void recorded.push(change),
      madeTypes: () => new Set(OUTCOME_TYPES),
      ...dependencies,
    });
    opened.push({ webhooks, dataSource });
    await webhooks.start();
    return webhooks;
  }

  /** As a process that stops. */
  async function stop(): Promise<void> {
    for (const { webhooks, dataSource } of opened.splice(0)) {
      await webhooks.close();
      await dataSource.destroy();
    }
  }

  const sequences = () => received.map(({ sequence }) => sequence);
  const statesOf = async (webhooks: Webhooks, id: string) =>
    (await webhooks.deliveries(id, null, null, 100))?.map(({ sequence, state }) => `${sequence} ${state}`).toReversed();
  const status =
    (code: number, headers: Record<string, string> = {}) =>
    (_: Received, response: ServerResponse) =>
      void response.writeHead(code, headers).end(`answer ${code}`);
  async function passes(webhooks: Webhooks, ms: number): Promise<void> {
    await clock.advance(ms);
    await webhooks.settled();
  }

  it('forget an erased user at the next cleanup when the database was not able to at once', async () => {
    const webhooks = await open();
    await webhooks.create({ url }, 'me');
    outcomes.add('7');
    await webhooks.settled();
    await database.sql.query(
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'full' using errcode = '53100'; end $$;
       create trigger refuse before update on webhook_deliveries for each row execute function refuse()`,
      [],
    );
    try {
      await expect(webhooks.forgetUser('7')).rejects.toThrow(StoreUnavailableError);
    } finally {
      await database.sql.query('drop function refuse cascade', []);
    }
    await passes(webhooks, 10 * 60_000);
    await stop();
    expect(await database.sql.query('select user_key, state from webhook_deliveries', [])).toEqual([
      { user_key: null, state: 'delivered' },
    ]);
  });

  it('send no outcome of an event before the endpoint, even if it was created afterwards', async () => {
    let isThrough = false;
    const caughtUp = async () => isThrough && outcomes.add('late') !== null;
    const webhooks = await open(1, { caughtUp });
    await expect(webhooks.create({ url }, 'me')).rejects.toThrow('the outcomes of earlier events are still being made');
    isThrough = true;
    await webhooks.create({ url }, 'me');
    outcomes.add('ada');
    await webhooks.settled();
    expect(received.map(({ user }) => user)).toEqual(['ada']);
  });

  it('send each outcome once, signed, in order per user, starting with the creation of the endpoint', async () => {
    const webhooks = await open();
    outcomes.add('ada');
    const { id, secret } = await webhooks.create({ url }, 'me');
    for (let n = 0; n < 300; n++) outcomes.add(['ada', 'bea', null][n % 3] ?? null);
    await webhooks.settled();
    expect(sequences().toSorted((a, b) => a - b)).toEqual(outcomes.kept.slice(1).map(({ sequence }) => sequence));
    for (const user of ['ada', 'bea', null]) {
      const own = received.filter((one) => one.user === user).map(({ sequence }) => sequence);
      expect(own).toEqual(own.toSorted((a, b) => a - b));
    }
    const { headers, body } = received[0] as Received;
    expect(headers).toMatchObject({ 'webhook-id': outcomes.kept[1]?.id, 'content-type': 'application/json' });
    expect(headers).not.toHaveProperty('webhook-replay');
    expect(body).toBe(outcomes.kept[1]?.body);
    // The library compares with the time of the machine, and this clock stands elsewhere.
    const { id: messageId = '', body: text = '' } = outcomes.kept[1] ?? {};
    expect(new Webhook(secret).sign(messageId, new Date(clock.now()), text)).toBe(headers['webhook-signature']);
    expect(await webhooks.list()).toMatchObject([{ id, behind: 0, unfinished: 0, abandoned: 0, failingSince: null }]);
    expect(webhooks.attempts).toEqual({ delivered: 300, failed: 0 });
  });

  it('warn of types for which the configuration creates no outcomes, until it does', async () => {
    let made = new Set(['user.created', 'streak.lost']);
    const webhooks = await open(1, { madeTypes: () => made });
    const { id, warnings } = await webhooks.create({ url, types: ['streak.lost', 'points.changed'] }, 'me');
    const warned = [
      'points.changed is among the types, but the configuration does not make it: name it in outgoing.events',
    ];
    expect(warnings).toEqual(warned);
    expect(await webhooks.list()).toMatchObject([{ id, warnings: warned }]);
    expect(await webhooks.status()).toMatchObject([{ id, warnings: warned }]);
    expect(await webhooks.change(id, { types: ['streak.lost'] }, 'me')).toMatchObject({ warnings: [] });
    expect(await webhooks.change(id, { types: null }, 'me')).toMatchObject({ warnings: [] });
    expect(await webhooks.change(id, { types: ['points.changed'] }, 'me')).toMatchObject({ warnings: warned });
    made = new Set([...made, 'points.changed']);
    expect(await webhooks.status()).toMatchObject([{ id, warnings: [] }]);
  });

  it('send only the requested types, with the signature of Trophy on request', async () => {
    const webhooks = await open();
    await webhooks.create({ url, types: ['streak.lost'], trophySignature: true }, 'me');
    for (const type of ['user.created', 'streak.lost', 'streak.extended', 'streak.lost']) outcomes.add('ada', type);
    await webhooks.settled();
    expect(sequences()).toEqual([2, 4]);
    expect(received[0]?.headers).toHaveProperty('x-trophy-signature');
  });

  it('delay only the user whose outcome fails, and retry the same bytes until they give up', async () => {
    const webhooks = await open(SCALE);
    const { id } = await webhooks.create({ url }, 'me');
    answer = (one, response) => status(one.sequence === 1 ? 500 : 200)(one, response);
    for (const user of ['ada', 'bea', 'ada', 'bea']) outcomes.add(user);
    await webhooks.settled();
    expect(sequences().toSorted((a, b) => a - b)).toEqual([1, 2, 4]);
    expect(await statesOf(webhooks, id)).toEqual(['1 failed', '2 delivered', '3 waiting', '4 delivered']);
    for (let hour = 0; hour < 100; hour++) await passes(webhooks, SCALED_HOUR);
    expect(await statesOf(webhooks, id)).toEqual(['1 abandoned', '2 delivered', '3 delivered', '4 delivered']);
    const attempts = received.filter(({ sequence }) => sequence === 1);
    expect(attempts).toHaveLength(10);
    expect(new Set(attempts.map(({ body }) => body)).size).toBe(1);
    expect(new Set(attempts.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(await webhooks.deliveries(id, 'abandoned', null, 10)).toMatchObject([
      { status: 500, response: 'answer 500', error: 'was answered with 500', attempts: 10 },
    ]);
  });

  it('retry ten times at the scheduled second with the same bytes, and then give up', async () => {
    const webhooks = await open();
    const { id } = await webhooks.create({ url }, 'me');
    answer = status(500);
    const { body } = outcomes.add('ada');
    await webhooks.settled();
    const times = [clock.now()];
    for (const seconds of [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]) {
      const [{ nextAttemptAt } = { nextAttemptAt: null }] = (await webhooks.deliveries(id, 'failed', null, 1)) ?? [];
      const delayMs = Date.parse(nextAttemptAt ?? '') - clock.now();
      expect(Math.abs(delayMs / 1_000 / seconds - 1)).toBeLessThanOrEqual(0.2);
      await passes(webhooks, delayMs - 1_000);
      expect(received).toHaveLength(times.length);
      await passes(webhooks, 1_000);
      times.push(clock.now());
      expect(received).toHaveLength(times.length);
    }
    expect(await statesOf(webhooks, id)).toEqual(['1 abandoned']);
    await passes(webhooks, 2 * DAYS);
    expect(received).toHaveLength(10);
    expect(received.map((one) => one.body)).toEqual(times.map(() => body));
    expect(received.map(({ headers }) => headers['webhook-timestamp'])).toEqual(
      times.map((time) => String(Math.floor(time / 1_000))),
    );
  });

  it('deliver strictly one by one in order when the endpoint is strict', async () => {
    const webhooks = await open();
    await webhooks.create({ url, ordering: 'strict' }, 'me');
    answer = (one, response) => status(received.length === 2 ? 503 : 200)(one, response);
    for (let n = 0; n < 20; n++) outcomes.add(`user ${n}`);
    await webhooks.settled();
    expect(sequences()).toEqual([1, 2]);
    await passes(webhooks, 10_000);
    expect(sequences()).toEqual([1, 2, ...Array.from({ length: 19 }, (_, n) => n + 2)]);
  });

  it.each([
    ['in seconds', () => '3600', HOURS],
    ['as a date', () => new Date(clock.now() + HOURS).toUTCString(), HOURS],
    ['in seconds beyond a day', () => '999999', DAYS],
    ['as a date beyond a day', () => new Date(clock.now() + 9 * DAYS).toUTCString(), DAYS],
  ])('retry at the time that the receiver gives %s, at most a day later', async (_, wanted, delayMs) => {
    const webhooks = await open();
    await webhooks.create({ url }, 'me');
    const headers = { 'retry-after': wanted() };
    answer = (one, response) => status(received.length === 1 ? 429 : 200, headers)(one, response);
    outcomes.add('ada');
    await webhooks.settled();
    await passes(webhooks, delayMs - 1_000);
    expect(received).toHaveLength(1);
    await passes(webhooks, 1_000);
    expect(received).toHaveLength(2);
  });

  it.each(['1', 'soon', 'Wed, 31 Dec 2025 00:00:00 GMT'])(
    'retry as scheduled when the receiver asks for less or for nothing: Retry-After %s',
    async (wanted) => {
      const webhooks = await open();
      await webhooks.create({ url }, 'me');
      answer = status(503, { 'retry-after': wanted });
      outcomes.add('ada');
      await webhooks.settled();
      await passes(webhooks, 3_999);
      expect(received).toHaveLength(1);
      await passes(webhooks, 2_001);
      expect(received).toHaveLength(2);
    },
  );

  it('follow no redirect', async () => {
    const webhooks = await open();
    const { id } = await webhooks.create({ url }, 'me');
    answer = status(302, { location: `${url}elsewhere` });
    outcomes.add('ada');
    await webhooks.settled();
    expect(received).toHaveLength(1);
    expect(await webhooks.deliveries(id, 'failed', null, 1)).toMatchObject([{ status: 302, attempts: 1 }]);
  });

  it('fail after 15 s without an answer, and show at most a KiB of an answer', async () => {
    const webhooks = await open();
    const { id } = await webhooks.create({ url }, 'me');
    let asked: () => void = () => undefined;
    const isAsked = new Promise<void>((resolve) => (asked = resolve));
    answer = () => asked();
    outcomes.add('ada');
    await isAsked;
    await passes(webhooks, 15_000);
    const [failed] = (await webhooks.deliveries(id, 'failed', null, 1)) ?? [];
    expect(failed).toMatchObject({ status: null, error: 'was not answered within 15 s', attempts: 1 });
    answer = (_, response) => void response.writeHead(500).end('x'.repeat(100_000));
    await passes(webhooks, 10_000);
    const [second] = (await webhooks.deliveries(id, 'failed', null, 1)) ?? [];
    expect([second?.attempts, second?.response]).toEqual([2, 'x'.repeat(1_024)]);
  });

  it('report another endpoint that was disabled, but not the endpoint itself', async () => {
    const webhooks = await open();
    const [own, other] = [await webhooks.create({ url }, 'me'), await webhooks.create({ url }, 'me')];
    outcomes.add(null, 'endpoint.disabled', '', { endpoint: { id: own.id } });
    outcomes.add('ada');
    await webhooks.settled();
    expect(received.map(({ sequence }) => sequence).sort()).toEqual([1, 2, 2]);
    expect(await webhooks.deliveries(own.id, 'delivered', null, 5)).toHaveLength(1);
    expect(await webhooks.deliveries(other.id, 'delivered', null, 5)).toHaveLength(2);
  });

  it('are disabled by 410 or after five days of failures, and resume where they stopped when enabled', async () => {
    const webhooks = await open(SCALE);
    const { id } = await webhooks.create({ url }, 'me');
    answer = status(410);
    outcomes.add('ada');
    await webhooks.settled();
    expect(await webhooks.list()).toMatchObject([{ state: 'disabled', disabledBecause: 'it answered with 410' }]);
    expect(recorded.at(-1)).toEqual({
      ...{ type: 'WebhookChanged', id, change: 'disabled', origin: new URL(url).origin, types: null },
      ...{ by: 'process', reason: 'it answered with 410', failure: { status: 410, error: 'was answered with 410' } },
    });
    outcomes.add('bea');
    await passes(webhooks, 10 * DAYS);
    expect(received).toHaveLength(1);
    answer = status(500);
    await webhooks.enable(id, 'me');
    await webhooks.settled();
    for (let hour = 0; hour < 5 * 24 - 1; hour++) {
      if (hour % 12 === 0) outcomes.add(`user ${hour}`);
      await passes(webhooks, SCALED_HOUR);
    }
    expect(await webhooks.list()).toMatchObject([{ state: 'enabled' }]);
    outcomes.add('eve');
    for (let hour = 0; hour < 12; hour++) await passes(webhooks, SCALED_HOUR);
    expect(await webhooks.list()).toMatchObject([{ disabledBecause: 'nothing has arrived for five days' }]);
    answer = status(200);
    received = [];
    await webhooks.enable(id, 'me');
    for (let hour = 0; hour < 30; hour++) await passes(webhooks, SCALED_HOUR);
    expect(sequences()).toContain(outcomes.kept.at(-1)?.sequence);
    expect(await webhooks.list()).toMatchObject([{ unfinished: 0, behind: 0, failingSince: null }]);
  });

  it('are disabled to the second five days after the first of only failures', async () => {
    const webhooks = await open();
    await webhooks.create({ url }, 'me');
    const stateAfter = async (user: string, code: number) => {
      answer = status(code);
      outcomes.add(user);
      await webhooks.settled();
      return (await webhooks.list())[0]?.state;
    };
    expect(await stateAfter('ada', 500)).toBe('enabled');
    await passes(webhooks, DAYS);
    // Something arrives: the days are counted from the failure behind it.
    expect(await stateAfter('bea', 200)).toBe('enabled');
    expect(await stateAfter('cid', 500)).toBe('enabled');
    const [{ failingSince } = { failingSince: null }] = await webhooks.list();
    expect(failingSince).toBe(new Date(clock.now()).toISOString());
    await passes(webhooks, 5 * DAYS - 1_000);
    expect(await stateAfter('dan', 500)).toBe('enabled');
    await passes(webhooks, 1_000);
    expect(await stateAfter('eve', 500)).toBe('disabled');
  });

  it('report what kind of failure disabled an endpoint, but not its address', async () => {
    const unused = createServer();
    await new Promise<void>((resolve) => unused.listen(0, '127.0.0.1', resolve));
    const { port } = unused.address() as AddressInfo;
    await new Promise((resolve) => unused.close(resolve));
    const webhooks = await open(SCALE);
    const { id } = await webhooks.create({ url: `http://127.0.0.1:${port}/` }, 'me');
    for (let hour = 0; hour < 6 * 24; hour++) {
      if (hour % 12 === 0) outcomes.add(`user ${hour}`);
      await passes(webhooks, SCALED_HOUR);
    }
    const errors = ((await webhooks.deliveries(id, null, null, 20)) ?? []).flatMap(({ error }) => error ?? []);
    expect(errors).toContainEqual(expect.stringContaining(`127.0.0.1:${port}`));
    expect(recorded.at(-1)).toMatchObject({ id, failure: { status: null, error: 'the connection was refused' } });
  });

  it('are disabled and reported once when several requests fail at the same time', async () => {
    const webhooks = await open();
    const { id } = await webhooks.create({ url }, 'me');
    outcomes.add('the first');
    await webhooks.settled();
    const waiting: ServerResponse[] = [];
    answer = (_, response) => {
      waiting.push(response);
      if (waiting.length === MOST_OF_ENDPOINT) for (const one of waiting) one.writeHead(410).end();
    };
    for (let n = 0; n < MOST_OF_ENDPOINT; n++) outcomes.add(`user ${n}`);
    await webhooks.settled();
    expect(await webhooks.list()).toMatchObject([{ state: 'disabled' }]);
    expect(recorded.filter((change) => (change as WebhookChanged).id === id)).toMatchObject([
      { change: 'created' },
      { change: 'disabled' },
    ]);
  });

  it('lose nothing when the process ends, and retry at the planned time', async () => {
    let webhooks = await open();
    const { id } = await webhooks.create({ url }, 'me');
    answer = (one, response) => status(one.user === 'ada' ? 500 : 200)(one, response);
    for (const user of ['ada', 'bea', 'ada']) outcomes.add(user);
    await webhooks.settled();
    await stop();
    outcomes.add('bea');
    answer = status(200);
    webhooks = await open();
    await webhooks.settled();
    expect(sequences().toSorted((a, b) => a - b)).toEqual([1, 2, 4]);
    await passes(webhooks, 10_000);
    expect(sequences().slice(-2)).toEqual([1, 3]);
    expect(await statesOf(webhooks, id)).toEqual(['1 delivered', '2 delivered', '3 delivered', '4 delivered']);
    await stop();
    await open().then((again) => again.settled());
    expect(received).toHaveLength(5);
  });

  it('continue at the stored position when the answer of the database was lost', async () => {
    const webhooks = await open();
    outcomes.add('ada');
    await webhooks.create({ url }, 'me');
    await database.sql.query('update webhook_endpoints set taken = 2', []);
    outcomes.add('ada');
    outcomes.add('bea');
    await webhooks.settled();
    expect(sequences()).toEqual([3]);
  });

  it('have at most eight requests in progress at one endpoint and delay no other', async () => {
    const webhooks = await open();
    const held: ServerResponse[] = [];
    let reached: () => void = () => undefined;
    const all58 = new Promise<void>((resolve) => (reached = resolve));
    await webhooks.create({ url, trophySignature: true }, 'hangs');
    await webhooks.create({ url }, 'works');
    outcomes.add('the first');
    await webhooks.settled();
    received = [];
    answer = ({ headers }, response) => {
      if (headers['x-trophy-signature']) held.push(response);
      else response.end();
      if (received.length === 58) reached();
    };
    for (let n = 0; n < 50; n++) outcomes.add(`user ${n}`);
    await all58;
    expect(held).toHaveLength(8);
    answer = (_, response) => void response.end();
    for (const response of held) response.end();
    await webhooks.settled();
    expect(received).toHaveLength(100);
  });

  it('have at most 64 requests in progress, eight per endpoint, however many hang', async () => {
    const webhooks = await open();
    const hanging: ServerResponse[] = [];
    let reached: () => void = () => undefined;
    const areMany = new Promise<void>((resolve) => (reached = resolve));
    for (let n = 0; n < 12; n++) await webhooks.create({ url: `${url}${n}` }, 'me');
    outcomes.add('the first');
    await webhooks.settled();
    received = [];
    answer = (_, response) => {
      hanging.push(response);
      if (hanging.length === MOST_IN_PROGRESS) reached();
    };
    for (let n = 0; n < 20; n++) outcomes.add(`user ${n}`);
    await areMany;
    // Each asks the database what a further request would have to be asked for.
    for (let n = 0; n < 30; n++) {
      outcomes.add(`more ${n}`);
      await webhooks.list();
    }
    expect([hanging.length, webhooks.inProgress]).toEqual([64, 64]);
    const byEndpoint = new Map<string | undefined, number>();
    for (const { path } of received) byEndpoint.set(path, (byEndpoint.get(path) ?? 0) + 1);
    expect(Math.max(...byEndpoint.values())).toBe(MOST_OF_ENDPOINT);
    answer = (_, response) => void response.end();
    for (const response of hanging) response.end();
    await webhooks.settled();
    expect(received).toHaveLength(12 * 50);
  });

  it('reach the one endpoint that answers while all others hang', async () => {
    const webhooks = await open();
    for (let n = 1; n < MOST_ENDPOINTS; n++) await webhooks.create({ url: `${url}hangs` }, 'me');
    await webhooks.create({ url: `${url}works` }, 'me');
    const held: ServerResponse[] = [];
    let works: ServerResponse[] = [];
    let at = { once: 1, resolve: (): void => undefined };
    const working = (once: number) =>
      new Promise<void>((resolve) => {
        at = { once, resolve };
        if (works.length === once) resolve();
      });
    answer = ({ path }, response) => {
      if (path === '/hangs') held.push(response);
      else if (works.push(response) === at.once) at.resolve();
    };
    for (let n = 0; n < 41; n++) outcomes.add(`user ${n}`);
    await working(1);
    for (let answered = 1; answered < 41; answered += 8) {
      for (const response of works.splice(0)) response.end();
      await working(8);
    }
    expect(held).toHaveLength(MOST_ENDPOINTS - 1);
    works = works.filter((response) => !response.end());
    answer = (_, response) => void response.end();
    for (const response of held) response.end();
    await webhooks.settled();
  });

  it('send one request at a time to an endpoint that timed out, until one succeeds', async () => {
    const webhooks = await open();
    const { id } = await webhooks.create({ url }, 'me');
    outcomes.add('the first');
    await webhooks.settled();
    received = [];
    let reached: () => void = () => undefined;
    const requests = (count: number) =>
      new Promise<void>((resolve) => (reached = () => (received.length === count ? resolve() : undefined)));
    answer = () => reached();
    const eight = requests(8);
    for (let n = 0; n < 20; n++) outcomes.add(`user ${n}`);
    await eight;
    const ninth = requests(9);
    await clock.advance(15_000);
    await ninth;
    // Whatever else might be sent asks the database first.
    for (let n = 0; n < 30; n++) await webhooks.list();
    expect([received.length, webhooks.inProgress]).toEqual([9, 1]);
    await clock.advance(15_000);
    answer = (_, response) => void response.end();
    for (let n = 0; n < 10; n++) await passes(webhooks, 60_000);
    expect(await webhooks.list()).toMatchObject([{ id, unfinished: 0, behind: 0 }]);
  });

  it('show since when outcomes of its types wait for a disabled endpoint', async () => {
    const webhooks = await open();
    const { id } = await webhooks.create({ url, types: ['streak.lost'] }, 'me');
    const all = await webhooks.create({ url }, 'me');
    await webhooks.disable(id, 'me');
    await webhooks.disable(all.id, 'me');
    outcomes.add(null, 'endpoint.disabled', '', { endpoint: { id: all.id } }, Date.UTC(2025, 10, 1));
    const waits = async () => (await webhooks.list()).map(({ oldestAt }) => oldestAt);
    expect(await waits()).toEqual([null, null]);
    outcomes.add('ada', 'streak.extended', '', {}, Date.UTC(2025, 11, 1));
    outcomes.add('bea', 'streak.lost', '', {}, Date.UTC(2025, 11, 2));
    outcomes.add('eve', 'streak.lost', '', {}, Date.UTC(2025, 11, 3));
    expect(await waits()).toEqual(['2025-12-02T00:00:00.000Z', '2025-12-01T00:00:00.000Z']);
    expect((await webhooks.status()).map(({ oldestAt }) => oldestAt)).toEqual(await waits());
    for (const webhook of [id, all.id]) await webhooks.enable(webhook, 'me');
    await webhooks.settled();
    expect(await waits()).toEqual([null, null]);
  });

  it('resend delivered and abandoned deliveries, and mark replayed outcomes', async () => {
    const webhooks = await open();
    const { id } = await webhooks.create({ url }, 'me');
    for (const type of ['streak.lost', 'user.created', 'streak.lost']) outcomes.add('ada', type);
    await webhooks.settled();
    const [last] = (await webhooks.deliveries(id, 'delivered', null, 1)) ?? [];
    expect(await webhooks.resend(id, last?.id ?? '')).toMatchObject({ state: 'pending', attempts: 0, sequence: 3 });
    await webhooks.settled();
    expect(sequences()).toEqual([1, 2, 3, 3]);
    await webhooks.replay(id, { from: 2, types: ['streak.lost'] });
    await webhooks.settled();
    expect(received.slice(4)).toMatchObject([{ sequence: 3, headers: { 'webhook-replay': 'true' } }]);
    await webhooks.replay(id, { from: 1 });
    await webhooks.settled();
    expect(sequences().slice(5)).toEqual([1, 2, 3]);
    expect(await webhooks.list()).toMatchObject([{ replaying: false, behind: 0 }]);
    expect(await webhooks.resend(id, '999999')).toBe('unknown_delivery');
    await webhooks.replay(id, { from: 4 });
    await webhooks.settled();
    expect(received).toHaveLength(8);
    await expect(webhooks.replay(id, { from: 5 })).rejects.toMatchObject({
      problem: { errors: [{ path: 'from', message: 'must be 4 or less: nothing newer was made yet' }] },
    });
  });

  it('resend an abandoned delivery whose outcome is deleted, and refuse a delivered one', async () => {
    const webhooks = await open();
    const { id } = await webhooks.create({ url }, 'me');
    const [first] = [outcomes.add('ada'), await webhooks.settled()];
    answer = status(500);
    const given = outcomes.add('ada');
    for (let hours = 0; hours < 100; hours++) await passes(webhooks, HOURS);
    expect(await webhooks.list()).toMatchObject([{ state: 'enabled', abandoned: 1 }]);
    outcomes.kept.length = 0;
    answer = status(200);
    received.length = 0;
    const [abandoned] = (await webhooks.deliveries(id, 'abandoned', null, 1)) ?? [];
    expect(await webhooks.resend(id, abandoned?.id ?? '')).toMatchObject({ state: 'pending' });
    await webhooks.settled();
    expect(received).toMatchObject([{ body: given.body, headers: { 'webhook-id': given.id } }]);
    const delivered = (await webhooks.deliveries(id, 'delivered', null, 5)) ?? [];
    const ofFirst = delivered.find(({ outcome }) => outcome === first.id)?.id ?? '';
    await expect(webhooks.resend(id, ofFirst)).rejects.toMatchObject({
      problem: { errors: [{ path: 'delivery', message: 'is of an outcome that is kept no longer' }] },
    });
    expect(await webhooks.deliveries(id, 'delivered', null, 5)).toHaveLength(2);
  });

  it.each(['enable', 'rotate', 'change'] as const)('retry at once what failed before, after %s', async (what) => {
    const webhooks = await open();
    const { id } = await webhooks.create({ url }, 'me');
    answer = status(500);
    for (const _ of 'ab') outcomes.add('ada');
    for (let attempt = 0; attempt < 5; attempt++) await passes(webhooks, 3 * HOURS);
    answer = status(200);
    received.length = 0;
    if (what === 'enable') {
      await webhooks.disable(id, 'me');
      await webhooks.enable(id, 'me');
    } else if (what === 'rotate') await webhooks.rotate(id, 'me');
    else await webhooks.change(id, { url: `${url}elsewhere` }, 'me');
    await webhooks.settled();
    expect(sequences()).toEqual([1, 2]);
  });

  it('are signed with both secrets for a day after a rotation', async () => {
    const webhooks = await open();
    const { id, secret } = await webhooks.create({ url }, 'me');
    const rotated = await webhooks.rotate(id, 'me');
    expect(rotated?.previousUntil).toBe(new Date(clock.now() + DAYS).toISOString());
    for (const ms of [0, DAYS - 1_000, 1_000]) {
      await clock.advance(ms);
      outcomes.add('ada');
      await webhooks.settled();
    }
    const by = (one: string, index: number, at: number) =>
      new Webhook(one).sign(outcomes.kept[index]?.id ?? '', new Date(at), outcomes.kept[index]?.body ?? '');
    const now = clock.now();
    const both = (index: number, at: number) => `${by(rotated?.secret ?? '', index, at)} ${by(secret, index, at)}`;
    const signatures = received.map(({ headers }) => headers['webhook-signature']);
    expect(signatures).toEqual([both(0, now - DAYS), both(1, now - 1_000), by(rotated?.secret ?? '', 2, now)]);
  });

  it('encrypt their secrets and keep nothing of erased users', async () => {
    const webhooks = await open();
    const { id, secret } = await webhooks.create({ url }, 'me');
    answer = (one, response) => void response.writeHead(500).end(`hello ${one.user}`);
    outcomes.add('7');
    await webhooks.settled();
    const rows = async () =>
      JSON.stringify(await database.sql.query('select * from webhook_endpoints, webhook_deliveries', []));
    expect(await rows()).not.toContain(secret);
    expect(await rows()).toContain('hello 7');
    outcomes.kept.length = 0;
    await webhooks.forgetUser('7');
    expect(await rows()).not.toContain('hello 7');
    await passes(webhooks, 10_000);
    expect(received).toHaveLength(1);
    expect(await webhooks.deliveries(id, null, null, 10)).toEqual([]);
  });

  it('keep nothing of an erased user in stored answers to outcomes that name them', async () => {
    const webhooks = await open();
    const { id } = await webhooks.create({ url, types: ['leaderboard.rank_lost'] }, 'me');
    answer = (one, response) => void response.writeHead(one.sequence === 1 ? 200 : 500).end(`hello ${one.body}`);
    for (const user of ['7', '8']) outcomes.add(user, 'leaderboard.rank_lost', '', { by: 'Bea' }, 0, ['9']);
    await webhooks.settled();
    const rows = async () => JSON.stringify(await database.sql.query('select * from webhook_deliveries', []));
    expect((await rows()).split('Bea')).toHaveLength(3);
    outcomes.kept.length = 0;
    await webhooks.forgetUser('9');
    expect(await rows()).not.toContain('Bea');
    await passes(webhooks, 10_000);
    expect(received).toHaveLength(2);
    expect(await webhooks.deliveries(id, null, null, 10)).toMatchObject([{ state: 'delivered', status: 200 }]);
  });

  it('forget users who were erased while no process ran', async () => {
    const webhooks = await open();
    await webhooks.create({ url }, 'me');
    answer = (one, response) => void response.end(`hello ${one.body}`);
    await database.sql.query(
      `insert into subjects select 'acme', s, 'user ' || s, '' from unnest('{7,8}'::int[]) s`,
      [],
    );
    outcomes.add('7', 'leaderboard.rank_lost', '', { by: 'Bea' }, 0, ['9']);
    outcomes.add('7', 'leaderboard.rank_lost', '', { by: 'Cay' }, 0, ['8']);
    await webhooks.settled();
    await stop();
    await open();
    const rows = JSON.stringify(await database.sql.query('select * from webhook_deliveries', []));
    expect([rows.includes('Bea'), rows.includes('Cay')]).toEqual([false, true]);
  });

  it('keep nothing of the answer to a request in progress when its user was erased', async () => {
    const webhooks = await open();
    const { id } = await webhooks.create({ url }, 'me');
    let isAsked = (): void => undefined;
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    let goOn = (): void => undefined;
    answer = (one, response) => {
      goOn = () => void response.end(`hello ${one.user}, ada@example.com`);
      isAsked();
    };
    outcomes.add('7');
    await asked;
    await webhooks.forgetUser('7');
    goOn();
    await webhooks.settled();
    expect(await webhooks.deliveries(id, null, null, 10)).toMatchObject([
      { state: 'delivered', status: 200, response: null, error: null },
    ]);
    answer = (one, response) => void response.end(`hello ${one.user}`);
    outcomes.add(null);
    await webhooks.settled();
    expect((await webhooks.deliveries(id, null, null, 1))?.[0]).toMatchObject({ response: 'hello null' });
  });

  it('count the waiting time of resent and replayed outcomes from the request', async () => {
    const webhooks = await open();
    const { id } = await webhooks.create({ url }, 'me');
    outcomes.add('ada', 'streak.lost', '', {}, Date.UTC(2025, 11, 1));
    outcomes.add('bea', 'streak.lost', '', {}, Date.UTC(2025, 11, 2));
    await webhooks.settled();
    const waits = async () => (await webhooks.list()).map(({ oldestAt }) => oldestAt);
    expect(await waits()).toEqual([null]);
    answer = status(500);
    const [, first] = (await webhooks.deliveries(id, null, null, 5)) ?? [];
    await clock.advance(1_000);
    await webhooks.resend(id, first?.id ?? '');
    await webhooks.settled();
    expect(await waits()).toEqual(['2026-01-01T00:00:01.000Z']);
    answer = status(200);
    await passes(webhooks, 60_000);
    expect(await waits()).toEqual([null]);
    answer = status(500);
    await webhooks.replay(id, { from: 1 });
    await webhooks.settled();
    expect(await waits()).toEqual(['2026-01-01T00:01:01.000Z']);
  });

  it('report the progress of any number of endpoints with one statement', async () => {
    const webhooks = await open();
    const made = [];
    for (let n = 0; n < 20; n++) made.push(await webhooks.create({ url, types: [`test.type_${'x'.repeat(n)}`] }, 'me'));
    const { id } = await webhooks.create({ url, types: ['streak.lost', 'points.changed'] }, 'me');
    answer = status(500);
    outcomes.add('ada', 'streak.lost', '', {}, Date.UTC(2025, 11, 31, 23, 58));
    outcomes.add('bea', 'streak.lost', '', {}, Date.UTC(2025, 11, 31, 23, 59));
    outcomes.add('ada', 'points.changed', '', { points: { key: 'xp', added: 1, awards: [] } });
    await webhooks.settled();
    const [, given] = (await webhooks.deliveries(id, 'failed', null, 5)) ?? [];
    await database.sql.query("update webhook_deliveries set state = 'abandoned', finished_at = now() where id = $1", [
      given?.id,
    ]);
    const before = listed.length;
    const all = await webhooks.list();
    expect(listed).toHaveLength(before + 1);
    expect(all).toHaveLength(made.length + 1);
    for (const { id: other } of made)
      expect(all).toContainEqual(expect.objectContaining({ id: other, unfinished: 0, heldBack: 0, oldestAt: null }));
    expect(all.at(-1)).toMatchObject({
      ...{ id, behind: 0, unfinished: 2, heldBack: 1, abandoned: 1, oldestAt: '2025-12-31T23:59:00.000Z' },
    });
  });

  it('keep an unfinished outcome however old it is, because it may be imported', async () => {
    const webhooks = await open();
    const { id } = await webhooks.create({ url }, 'me');
    answer = status(500);
    outcomes.add('ada', 'achievement.completed', '', {}, Date.UTC(2020, 0, 1));
    await webhooks.settled();
    const needed = await webhooks.oldestNeeded();
    // As the reader of outcomes does once `keep` is over.
    outcomes.kept.splice(0, outcomes.kept.filter(({ sequence }) => sequence < (needed ?? Infinity)).length);
    await passes(webhooks, 10_000);
    expect({ needed, states: await statesOf(webhooks, id) }).toEqual({ needed: 1, states: ['1 failed'] });
  });

  it.each(['url', 'disable'] as const)(
    'start no request with the old settings after a change was answered: %s',
    async (what) => {
      const webhooks = await open();
      const { id } = await webhooks.create({ url: `${url}old` }, 'me');
      let [asking, goOn] = [() => undefined as void, () => undefined as void];
      const [isAsked, mayGoOn] = [new Promise<void>((r) => (asking = r)), new Promise<void>((r) => (goOn = r))];
      const read = outcomes.read.bind(outcomes);
      outcomes.read = async (account, query) => {
        if (query.limit === 1) {
          asking();
          await mayGoOn;
        }
        return read(account, query);
      };
      outcomes.add('ada');
      await isAsked;
      if (what === 'url') await webhooks.change(id, { url: `${url}new` }, 'me');
      else await webhooks.disable(id, 'me');
      goOn();
      await webhooks.settled();
      expect(received.map(({ path }) => path)).toEqual(what === 'url' ? ['/new'] : []);
    },
  );

  it('are not disabled by an answer of the receiver before a change of the URL', async () => {
    const webhooks = await open();
    const { id } = await webhooks.create({ url: `${url}old` }, 'me');
    let asked = (): void => undefined;
    const isAsked = new Promise<void>((resolve) => (asked = resolve));
    let respond = (): void => undefined;
    answer = (one, response) => {
      if (one.path === '/new') return void response.end();
      respond = () => status(410)(one, response);
      asked();
    };
    outcomes.add('ada');
    await isAsked;
    await webhooks.change(id, { url: `${url}new` }, 'me');
    respond();
    await webhooks.settled();
    await passes(webhooks, 10_000);
    expect(await webhooks.list()).toMatchObject([{ id, state: 'enabled', disabledBecause: null, unfinished: 0 }]);
  });

  it('retry in time even when a timer fires a millisecond early', async () => {
    const after = clock.after.bind(clock);
    clock.after = (ms, task) => after(ms > 1_000 && ms < 10_000 ? ms - 1 : ms, task);
    const webhooks = await open();
    const { id } = await webhooks.create({ url }, 'me');
    answer = status(500);
    outcomes.add('ada');
    await webhooks.settled();
    answer = (_, response) => void response.end();
    const [failed] = (await webhooks.deliveries(id, null, null, 1)) ?? [];
    const dataSource = opened.at(-1)?.dataSource as DataSource;
    const query = dataSource.query.bind(dataSource) as (...parameters: unknown[]) => Promise<unknown>;
    // A statement takes a millisecond.
    dataSource.query = (async (text: string, ...rest: unknown[]) => {
      const rows = await query(text, ...rest);
      if (text.includes('id <> all(')) await clock.advance(1);
      return rows;
    }) as never;
    await passes(webhooks, Date.parse(failed?.nextAttemptAt ?? '') - 1 - clock.now());
    for (let second = 0; second < 20; second++) await passes(webhooks, 1_000);
    expect(sequences()).toEqual([1, 1]);
  });

  it('report the oldest outcome that they still need', async () => {
    const webhooks = await open();
    expect(await webhooks.oldestNeeded()).toBeNull();
    await webhooks.create({ url }, 'me');
    answer = (one, response) => status(one.sequence === 2 ? 500 : 200)(one, response);
    for (const user of ['ada', 'bea', 'cid']) outcomes.add(user);
    await webhooks.settled();
    expect(await webhooks.oldestNeeded()).toBe(2);
  });

  describe('with a minimum interval', () => {
    const QUARTER = 15 * 60_000;
    const points = (user: string, key: string, added: JsonNumber, total: JsonNumber) =>
      outcomes.add(user, 'points.changed', '', { points: { key, added, total, awards: [{ total }] } });
    const rank = (
      user: string,
      previousRank: number | null,
      now: number,
      previousValue: JsonNumber | null = previousRank,
    ) =>
      outcomes.add(user, 'leaderboard.rank_changed', '', {
        ...{ leaderboard: { key: 'xp', runStart: '2026-01-01', rank: now }, previousRank, previousValue },
      });
    const bodies = () => received.map(({ body }) => JSON.parse(body));

    it('send one request per quarter of an hour, user and subject, from the first state to the last', async () => {
      const webhooks = await open();
      await webhooks.create({ url }, 'me');
      points('ada', 'xp', 5, 5);
      points('ada', 'xp', -2, 3);
      points('ada', 'energy', 1, 1);
      points('bea', 'xp', 7, 7);
      rank('ada', null, 4);
      rank('ada', 4, 2);
      outcomes.add('ada');
      await webhooks.settled();
      expect(sequences()).toEqual([7]);
      await passes(webhooks, 60_000);
      points('ada', 'xp', 10, 13);
      await webhooks.settled();
      await passes(webhooks, QUARTER - 61_000);
      expect(sequences()).toEqual([7]);
      await passes(webhooks, 1_000);
      const [xp, ranked, bea, energy] = [8, 6, 4, 3].map((n) => bodies().find(({ sequence }) => sequence === n));
      expect(xp).toMatchObject({ sequence: 8, id: outcomes.kept[7]?.id });
      expect(xp.points).toEqual({
        ...{ key: 'xp', added: 13, total: 13 },
        awards: [{ total: 5 }, { total: 3 }, { total: 13 }],
      });
      expect(received.find(({ sequence }) => sequence === 8)?.headers['webhook-id']).toBe(outcomes.kept[7]?.id);
      expect([energy.points.added, bea.points.added]).toEqual([1, 7]);
      expect(ranked).toMatchObject({ sequence: 6, previousRank: null, previousValue: null, leaderboard: { rank: 2 } });
      expect(received).toHaveLength(5);
      points('ada', 'xp', 1, 14);
      await webhooks.settled();
      await passes(webhooks, QUARTER - 1_000);
      expect(received).toHaveLength(5);
      await passes(webhooks, 1_000);
      expect(bodies().at(-1)).toEqual(JSON.parse(outcomes.kept[8]?.body ?? ''));
    });

    it('keep every digit of numbers beyond the precision of a double', async () => {
      const webhooks = await open();
      await webhooks.create({ url }, 'me');
      const exact = (digits: string) => new ExactNumber(digits);
      points('ada', 'xp', exact('9007199254740993'), exact('90071992547409930'));
      points('ada', 'xp', exact('9007199254740993'), exact('99079191802150923'));
      points('bea', 'xp', Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
      points('bea', 'xp', 2, exact('9007199254740993'));
      rank('ada', 4, 3, exact('9007199254740993.000001'));
      rank('ada', 3, 2, exact('9007199254740995.000003'));
      await webhooks.settled();
      await passes(webhooks, QUARTER);
      const [ada, bea, ranked] = [2, 4, 6].map((n) => received.find(({ sequence }) => sequence === n)?.body);
      expect(ada).toContain(
        '{"key":"xp","added":18014398509481986,"total":99079191802150923,' +
          '"awards":[{"total":90071992547409930},{"total":99079191802150923}]}',
      );
      expect(bea).toContain('"added":9007199254740993,"total":9007199254740993,');
      expect(ranked).toContain('"previousRank":4,"previousValue":9007199254740993.000001}');
    });

    it('send each run of a board in its last state, once per quarter of an hour', async () => {
      const webhooks = await open();
      await webhooks.create({ url }, 'me');
      const board = (key: string, runStart: string, ...users: readonly string[]) =>
        outcomes.add(null, 'leaderboard.changed', '', {
          leaderboard: {
            key,
            runStart,
            rankings: users.map((userId, place) => ({ userId, rank: place + 1, value: 9 })),
          },
        });
      board('xp', '2026-01-01', 'ada');
      board('xp', '2026-01-08', 'bea');
      board('week', '2026-01-01', 'cid');
      await webhooks.settled();
      await passes(webhooks, 60_000);
      board('xp', '2026-01-01', 'bea', 'ada');
      await webhooks.settled();
      await passes(webhooks, QUARTER - 61_000);
      expect(received).toEqual([]);
      await passes(webhooks, 1_000);
      expect(sequences().toSorted()).toEqual([2, 3, 4]);
      expect(received.find(({ sequence }) => sequence === 4)?.body).toBe(outcomes.kept[3]?.body);
    });

    it('keep held-back outcomes when the process ends, and resend the same bytes', async () => {
      await database.sql.query("insert into subjects values ('acme', 7, 'ada', '')", []);
      const first = await open();
      await first.create({ url }, 'me');
      points('7', 'xp', 5, 5);
      await first.settled();
      await stop();
      const webhooks = await open();
      await passes(webhooks, QUARTER - 1_000);
      points('7', 'xp', 5, 10);
      await webhooks.settled();
      expect(received).toEqual([]);
      answer = status(500);
      await passes(webhooks, 1_000);
      expect(bodies()).toMatchObject([{ sequence: 2, points: { added: 10, total: 10 } }]);
      answer = (_, response) => void response.end();
      await passes(webhooks, 10_000);
      expect(received.map(({ body }) => body)).toEqual([received[0]?.body, received[0]?.body]);
    });

    it('apply a changed interval to later outcomes, to the second', async () => {
      const webhooks = await open();
      const { id } = await webhooks.create({ url, minimumInterval: 60 }, 'me');
      const sentAfter = async (seconds: number, sent: readonly number[]) => {
        await webhooks.settled();
        await passes(webhooks, seconds * 1_000 - 1_000);
        expect(sequences()).toEqual(sent.slice(0, -1));
        await passes(webhooks, 1_000);
        expect(sequences()).toEqual(sent);
      };
      points('ada', 'xp', 1, 1);
      await webhooks.settled();
      await passes(webhooks, 10_000);
      await webhooks.change(id, { minimumInterval: 3_600 }, 'me');
      await sentAfter(50, [1]);
      points('ada', 'xp', 1, 2);
      await sentAfter(3_600, [1, 2]);
    });

    it('delay nothing with an interval of 0, in strict order or in a replay', async () => {
      const webhooks = await open();
      const { id } = await webhooks.create({ url, minimumInterval: 60 }, 'me');
      points('ada', 'xp', 1, 1);
      await webhooks.settled();
      await webhooks.change(id, { minimumInterval: 0 }, 'me');
      points('ada', 'xp', 1, 2);
      await webhooks.settled();
      expect(sequences()).toEqual([1, 2]);
      await webhooks.change(id, { minimumInterval: 60, ordering: 'strict' }, 'me');
      for (const total of [3, 4]) points('ada', 'xp', 1, total);
      await webhooks.settled();
      expect(sequences()).toEqual([1, 2, 3, 4]);
      await webhooks.change(id, { ordering: 'user' }, 'me');
      await webhooks.replay(id, { from: 3 });
      await webhooks.settled();
      expect(sequences()).toEqual([1, 2, 3, 4, 3, 4]);
    });

    it('send the longest held outcome early when too many are held back', async () => {
      const webhooks = await open();
      const { id } = await webhooks.create({ url }, 'me');
      points('ada', 'xp', 5, 5);
      await webhooks.settled();
      await passes(webhooks, 60_000);
      await database.sql.query(
        `insert into webhook_deliveries (account, endpoint, sequence, outcome, type, outcome_at, lane, replay, state, attempts, next_at)
         select 'acme', $1, 1000 + n, gen_random_uuid(), 'points.changed', now(), 'held ' || n, false, 'waiting', 0,
           '2026-01-01T00:15:05Z'::timestamptz + n * interval '1 ms'
         from generate_series(1, $2::int) n`,
        [id, MOST_HELD],
      );
      outcomes.add('eve');
      points('bea', 'xp', 1, 1);
      await webhooks.settled();
      expect(sequences().toSorted()).toEqual([1, 2]);
    });

    it('send nothing of a user who is erased meanwhile', async () => {
      const webhooks = await open();
      const { id } = await webhooks.create({ url }, 'me');
      points('7', 'xp', 5, 5);
      points('8', 'xp', 6, 6);
      await webhooks.settled();
      await webhooks.forgetUser('7');
      expect(await database.sql.query('select user_key from webhook_deliveries', [])).toEqual([{ user_key: '8' }]);
      await passes(webhooks, QUARTER);
      expect(sequences()).toEqual([2]);
      expect(await statesOf(webhooks, id)).toEqual(['2 delivered']);
    });

    it('list the deliveries of one user page by page, with the bodies of coalesced ones', async () => {
      const webhooks = await open();
      const { id } = await webhooks.create({ url }, 'me');
      const { id: other } = await webhooks.create({ url, types: ['streak.extended'] }, 'me');
      for (const userKey of ['7', '8', '7', null]) outcomes.add(userKey);
      points('7', 'xp', 5, 5);
      points('7', 'xp', 6, 11);
      await webhooks.settled();
      const pages: (readonly DeliveryOfUser[])[] = [];
      for await (const page of deliveriesOfUser(database.sql, 'acme', 7, 2)) pages.push(page);
      expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
      const found = pages.flat().map(({ webhook, url: to, delivery, body }) => ({
        ...{ webhook, to, state: delivery.state, sequence: delivery.sequence },
        body: body === null ? null : (JSON.parse(body) as { points: { added: number } }).points.added,
      }));
      const sent = { to: url, state: 'delivered', body: null };
      expect(found).toEqual(
        expect.arrayContaining([
          ...[1, 3].flatMap((sequence) => [id, other].map((webhook) => ({ ...sent, webhook, sequence }))),
          { webhook: id, to: url, state: 'waiting', sequence: 6, body: 11 },
        ]),
      );
      expect(found).toHaveLength(5);
      for await (const page of deliveriesOfUser(database.sql, 'another', 7)) expect(page).toEqual([]);
    });

    it('keep nothing of a user who is erased while their outcomes are being taken', async () => {
      const webhooks = await open();
      await webhooks.create({ url }, 'me');
      let [reading, goOn] = [() => undefined as void, () => undefined as void];
      const [isRead, mayGoOn] = [
        new Promise<void>((resolve) => (reading = resolve)),
        new Promise<void>((resolve) => (goOn = resolve)),
      ];
      const read = outcomes.read.bind(outcomes);
      outcomes.read = async (account, query) => {
        const found = await read(account, query);
        reading();
        await mayGoOn;
        return found;
      };
      points('7', 'xp', 5, 5);
      await isRead;
      outcomes.kept.length = 0;
      const forgotten = webhooks.forgetUser('7');
      goOn();
      await forgotten;
      await webhooks.settled();
      expect(await database.sql.query('select user_key from webhook_deliveries', [])).toEqual([]);
    });
  });
});
