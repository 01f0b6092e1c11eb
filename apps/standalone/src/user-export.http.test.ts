import { DEMO_CONFIGURATION } from '@laurel/configuration';
import { ACCOUNT } from '@laurel/kernel';
import { userExport } from '@laurel/schemas';
import { createClock } from '@laurel/runtime';
import type { TestDatabase } from '@laurel/testing/database';
import { Client, type Json } from '@laurel/testing/http-suite';
import { openServiceDatabase } from '@laurel/testing/service-database';
import { serveInProcess, type Served } from './testing/serve-in-process.ts';

const CLOCK = createClock({ type: 'frozen', at: Date.parse('2026-03-02T20:00:00Z') });
const OUTGOING = 'outgoing: { events: all, announceTop: 3 }';
/** Nobody listens there. */
const URL = 'http://127.0.0.1:1/with/a-secret';

let database: TestDatabase;
let served: Served;
let webhook = '';
const client = new Client(() => served);
/** Of two users, robert and yuki: no random id can hold either name, as it can `ada`. */
const record = (id: string, value: number) =>
  client.send('POST', '/v1/metrics/words/event', { body: { user: { id }, value } });

beforeAll(async () => {
  database = await openServiceDatabase();
  served = await serveInProcess(database.connection, `${DEMO_CONFIGURATION}\n${OUTGOING}\n`, CLOCK);
  ({ id: webhook } = (await client.send('POST', '/admin/v1/webhooks', { body: { url: URL } })).json);
  for (const [id, value] of [
    ['robert', 20],
    ['yuki', 30],
    ['robert', 40],
    ['yuki', 50],
  ] as const)
    await record(id, value);
  await served.service.outcomeReader.catchUp();
  while ((await client.read('/admin/v1/webhooks'))[0].behind > 0);
});
afterAll(async () => {
  await served?.close();
  await database?.close();
});

async function exported(id: string): Promise<Json> {
  const { status, json } = await client.send('GET', `/admin/v1/users/${id}/export`);
  expect([status, userExport.safeParse(json).error]).toEqual([200, undefined]);
  return json;
}

describe('the export of a user', () => {
  it('contains every stored outcome of the user, as it was sent', async () => {
    const { text } = await client.send('GET', '/admin/v1/outcomes?limit=1000');
    const all: Json[] = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
    const { outcomes } = await exported('yuki');
    const own = all.filter(({ user }) => user?.id === 'yuki');
    const named = all.filter((one) => one.user?.id !== 'yuki' && JSON.stringify(one).includes('"yuki"'));
    expect(outcomes.map(({ sequence }: Json) => sequence)).toEqual(
      [...own, ...named].map(({ sequence }) => sequence).sort((one, other) => one - other),
    );
    const isWhole = ({ type }: Json) => type !== 'leaderboard.rank_lost';
    const ofYuki = ({ user }: Json) => user?.id === 'yuki';
    expect(outcomes.filter(ofYuki).filter(isWhole)).toEqual(own.filter(isWhole));
    expect(new Set(own.map(({ type }) => type))).toEqual(
      new Set(outcomes.filter(ofYuki).map(({ type }: Json) => type)),
    );
    expect(named.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['leaderboard.changed', 'leaderboard.rank_lost']),
    );
  });

  it('contains the stored deliveries of the user without the path of the webhook', async () => {
    const { outcomes, webhookDeliveries } = await exported('yuki');
    const bodies = webhookDeliveries.flatMap(({ body }: Json) => body?.type ?? []);
    expect(bodies).toContain('points.changed');
    const subject = await served.service.directory.find(ACCOUNT, 'yuki');
    const kept = await database.sql.query<{ id: string; outcome: string }>(
      'select id, outcome from webhook_deliveries where user_key = $1 order by id',
      [String(subject)],
    );
    expect(webhookDeliveries.map(({ id, outcome }: Json) => ({ id, outcome }))).toEqual(kept);
    const notified = new Set(outcomes.map(({ id }: Json) => id));
    expect(kept.filter(({ outcome }) => !notified.has(outcome))).toEqual([]);
    for (const one of webhookDeliveries) expect(one).toMatchObject({ webhook, origin: 'http://127.0.0.1:1' });
    expect(JSON.stringify(webhookDeliveries)).not.toContain('a-secret');
  });

  it('names no other user in the body or the answer of an abandoned delivery', async () => {
    await database.sql.query(
      `update webhook_deliveries d set state = 'abandoned', attempts = 10, next_at = null, finished_at = now(), body = o.body,
         status = 500, response = o.body
       from outcomes o where o.account = d.account and o.sequence = d.sequence and d.type = 'leaderboard.rank_lost'`,
      [],
    );
    for (const [id, other] of [
      ['yuki', 'robert'],
      ['robert', 'yuki'],
    ] as const) {
      const { webhookDeliveries } = await exported(id);
      const lost = webhookDeliveries.filter(({ type }: Json) => type === 'leaderboard.rank_lost');
      expect(lost.length).toBeGreaterThan(0);
      expect(JSON.stringify(lost)).not.toContain(other);
    }
  });

  it('names no other user', async () => {
    expect(JSON.stringify(await exported('yuki'))).not.toContain('robert');
    expect(JSON.stringify(await exported('robert'))).not.toContain('yuki');
  });
});
