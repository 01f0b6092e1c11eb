import { ACCOUNT } from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import { createClock } from '@laurel/runtime';
import type { TestDatabase } from '@laurel/testing/database';
import { HISTORY_CONFIGURATION } from '@laurel/testing/histories';
import {
  ADA,
  ADAS_COURSE,
  ADAS_KEY,
  ADAS_SECRETS,
  type Answer,
  Client,
  foundIn,
  type Json,
} from '@laurel/testing/http-suite';
import { openServiceDatabase } from '@laurel/testing/service-database';
import pg from 'pg';
import { dumpOf } from './testing/dump.ts';
import { serveInProcess, type Served } from './testing/serve-in-process.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let now = 0;
const clock: Clock = { ...createClock({ type: 'system' }), now: () => now };
let database: TestDatabase;
let served: Served;
const client = new Client(() => served);

beforeEach(async () => {
  now = Date.parse('2026-03-10T08:00:00Z');
  database = await openServiceDatabase();
  served = await serveInProcess(database.connection, HISTORY_CONFIGURATION, clock);
});

afterEach(async () => {
  await served.close();
  await database.close();
});

const REASON = 'asked for by letter';

const userPath = (id: string) => `/admin/v1/users/${encodeURIComponent(id)}`;
const erasing = (id: string, query: Readonly<Record<string, string>>): Promise<Answer> =>
  client.send('DELETE', `${userPath(id)}?${new URLSearchParams(query).toString()}`);

async function erase(id: string, boards = 'remove'): Promise<Json> {
  const preview = await erasing(id, { preview: 'true', boards });
  expect([preview.status, preview.json.erased]).toEqual([200, false]);
  const done = await erasing(id, { previewId: preview.json.previewId, boards, reason: REASON });
  expect([done.status, done.json]).toEqual([200, expect.objectContaining({ erased: true, boards })]);
  expect(done.json.places).toEqual(preview.json.places);
  return done.json;
}

async function record(user: Json, value = 1, more: Json = {}): Promise<Json> {
  const { status, json } = await client.send('POST', '/v1/metrics/lessons/event', { body: { user, value, ...more } });
  expect(status).toBe(201);
  return json;
}

const statusOf = async (id: string): Promise<number> => (await client.send('GET', userPath(id))).status;

/** Ada and four others over some days: on boards, with streaks, levels, achievements, a grant and keys. */
async function live(): Promise<void> {
  const { id, ...profile } = ADA;
  await client.send('PUT', `/v1/users/${id}`, { body: profile });
  for (let day = 0; day < 3; day++) {
    const headers = { 'idempotency-key': `${ADAS_KEY} ${day}` };
    const body = { user: { id }, value: 5, attributes: { course: ADAS_COURSE } };
    expect((await client.send('POST', '/v1/metrics/lessons/event', { body, headers })).status).toBe(201);
    for (const [place, other] of ['bob', 'cyd', 'dot', 'eve'].entries())
      await record({ id: other }, 6 - 2 * place || 1);
    now += DAY;
    await served.service.engine.sweep();
  }
  const grant = { system: 'xp', amount: 30, reason: `for ${ADA.name}, who wrote from ${ADA.email}` };
  expect((await client.send('POST', `${userPath(id)}/grants/points`, { body: grant })).status).toBe(201);
}

const dump = (): Promise<string> => dumpOf(database.sql);
const found = (text: string): readonly string[] => foundIn(text, ADAS_SECRETS);

async function state(): Promise<Json> {
  let text = '';
  for await (const chunk of served.service.exportState(ACCOUNT, now)) text += chunk;
  return JSON.parse(text);
}

async function verified(): Promise<readonly unknown[]> {
  let findings: readonly unknown[] = [];
  await served.service.verify(ACCOUNT, true, (progress) => (findings = progress.findings ?? findings));
  return findings;
}

async function restart(): Promise<void> {
  await served.close();
  served = await serveInProcess(database.connection, HISTORY_CONFIGURATION, clock);
}

const ranking = async (board: string): Promise<Json[]> => (await client.read(`/v1/leaderboards/${board}`)).rankings;

describe('an erasure', () => {
  it('removes id, name, e-mail, attributes and device tokens from the whole database', async () => {
    await live();
    // The event in clear text is of no release: attributes were kept like that while this was built.
    await database.sql.query(
      `update events set schema_version = 2, data = '{"attributes": [["course", "course-of-ada-2"]], "receiptOnly": true}'
       where position = (select max(position) from events where type = 1 and personal is not null)`,
      [],
    );
    const before = await dump();
    expect(found(before)).toEqual(ADAS_SECRETS.filter((secret) => secret !== ADAS_KEY));
    const certificate = await erase(ADA.id);
    const placed = Object.fromEntries(certificate.places.map((one: Json) => [`${one.place} ${one.becomes}`, one.rows]));
    expect(placed).toMatchObject({
      ...{ 'subjects deleted': 1, 'user_states cleared': 1, 'user_counts counted_down': 1 },
      ...{ 'events unreadable': 5, 'achievement_counts counted_down': 2, 'board_standings off_the_board': 4 },
      'board_run_counts counted_down': placed['board_standings off_the_board'],
    });
    expect(found(await dump())).toEqual([]);
    await restart();
    await served.service.engine.rebuild([]);
    expect(found(await dump())).toEqual([]);
  });

  it('removes the user from the index by e-mail and name', async () => {
    await live();
    await served.service.userSearch.turn(true);
    const held = ['ada qzwlace', ADA.email];
    expect(foundIn(await dump(), held)).toEqual(held);
    const { places } = await erase(ADA.id);
    expect(places).toContainEqual({ place: 'user_search', rows: 3, becomes: 'deleted' });
    expect(foundIn(await dump(), held)).toEqual([]);
    await record({ id: ADA.id });
    expect(foundIn(await dump(), held)).toEqual([]);
  });

  it('reports the deliveries of the user: deferred ones are deleted, running ones lose the user', async () => {
    await served.close();
    served = await serveInProcess(database.connection, `${HISTORY_CONFIGURATION}outgoing: { events: all }\n`, clock);
    // Nobody listens there.
    await client.send('POST', '/admin/v1/webhooks', { body: { url: 'http://127.0.0.1:1/' } });
    for (const user of [{ id: 'bob' }, ADA]) await record(user);
    await served.service.outcomeReader.catchUp();
    const subject = await served.service.directory.find(ACCOUNT, ADA.id);
    const made = await served.service.outcomes.read(ACCOUNT, { after: 0, limit: 100 });
    const own = made.filter(({ userKey }) => userKey === String(subject)).map(({ type }) => type);
    const held = own.filter((type) => ['points.changed', 'leaderboard.rank_changed'].includes(type)).length;
    const ofBob = made.filter(({ userKey }) => userKey !== null && userKey !== String(subject)).length;
    const namesUser = () =>
      database.sql.query<{ of_ada: string; of_others: string; naming: string }>(
        `select count(*) filter (where user_key = $1) as of_ada, count(*) filter (where user_key <> $1) as of_others,
          count(*) filter (where others @> array[$1::text]) as naming
         from webhook_deliveries`,
        [String(subject)],
      );
    while ((await client.read('/admin/v1/webhooks'))[0].behind > 0);
    const naming = Number((await namesUser())[0]?.naming);
    expect(naming).toBeGreaterThan(0);
    const certificate = await erase(ADA.id);
    const named = certificate.places.filter(({ place }: Json) => place === 'webhook_deliveries');
    expect([held > 1, own.length - held > 1]).toEqual([true, true]);
    expect(named).toEqual([
      { place: 'webhook_deliveries', rows: held, becomes: 'deleted' },
      { place: 'webhook_deliveries', rows: own.length - held + naming, becomes: 'anonymous' },
    ]);
    const isForgotten = ({ of_ada: own, naming: others }: { of_ada: string; naming: string }) =>
      own === '0' && others === '0';
    while (!(await namesUser()).every(isForgotten));
    expect((await namesUser())[0]?.of_others).toBe(String(ofBob));
    expect(found(await dump())).toEqual([]);
  });

  it('does not wait for outcomes to be deleted, and blocks nobody, however many name the user', async () => {
    await record({ id: ADA.id });
    const subject = await served.service.directory.find(ACCOUNT, ADA.id);
    await database.sql.query(
      `insert into outcomes (account, sequence, position, subject, occurred_at, written_at, id, place, ordinal, type, body, others)
       values ($1, 1000000, 1, null, now(), now(), gen_random_uuid(), 0, 0, 'leaderboard.changed', '{}', array[$2::bigint])`,
      [ACCOUNT, subject],
    );
    const slow = new pg.Client(database.connection);
    await slow.connect();
    await slow.query("begin; select from outcomes where type = 'leaderboard.changed' for update");
    try {
      await erase(ADA.id);
      await record({ id: 'bob' });
    } finally {
      await slow.end();
    }
    const naming = () => database.sql.query('select from outcomes where others @> array[$1::bigint]', [subject]);
    while ((await naming()).length > 0);
  });

  it('changes nothing for others except counts and, with boards=remove, the ranks below', async () => {
    await live();
    const before = await state();
    const achievements = await client.read('/v1/achievements');
    expect((await ranking('xp')).map(({ userId }) => userId)).toContain(ADA.id);
    await erase(ADA.id);
    const { users, ...after } = await state();
    const { [ADA.id]: ada, ...others } = before.users;
    expect(ada).toBeDefined();
    expect(users).toEqual(others);
    expect(after).not.toEqual({ ...before, users: undefined });
    const left = await client.read('/v1/achievements');
    const countsOf = (all: Json[]) => all.map(({ completions }) => completions);
    expect(countsOf(left)).not.toEqual(countsOf(achievements));
    const ranks = await ranking('xp');
    expect(ranks.map(({ rank }) => rank)).toEqual(ranks.map((_, place) => place + 1));
    expect(ranks.map(({ userId }) => userId)).toEqual(['bob', 'cyd', 'dot', 'eve'].slice(0, ranks.length));
  });

  it('keeps the places without a name with boards=anonymous', async () => {
    await live();
    const before = await ranking('xp');
    await erase(ADA.id, 'anonymous');
    const nameless = (one: Json) => (one.userId === ADA.id ? { ...one, userId: '', userName: null } : one);
    expect(await ranking('xp')).toEqual(before.map(nameless));
    expect(await verified()).toEqual([]);
  });

  it('keeps the places of finished runs', async () => {
    await live();
    now += 10 * DAY;
    const final = await ranking('streaks');
    expect(final.map(({ userId }) => userId)).toContain(ADA.id);
    await erase(ADA.id);
    const nameless = (one: Json) => (one.userId === ADA.id ? { ...one, userId: '', userName: null } : one);
    expect(await ranking('streaks')).toEqual(final.map(nameless));
  });

  it('passes a verification and is the same after a rebuild', async () => {
    await live();
    await erase(ADA.id);
    await record({ id: ADA.id, name: 'Another' });
    now += 3 * DAY;
    await served.service.engine.sweep();
    expect(await verified()).toEqual([]);
    const before = await served.service.digest(ACCOUNT);
    await served.service.engine.rebuild([]);
    expect(await served.service.digest(ACCOUNT)).toEqual(before);
    await restart();
    expect(await served.service.digest(ACCOUNT)).toEqual(before);
    expect(await verified()).toEqual([]);
  });

  it('lets a new user take the same id', async () => {
    await live();
    await erase(ADA.id);
    expect(await statusOf(ADA.id)).toBe(404);
    expect((await client.send('GET', `/v1/users/${ADA.id}`)).status).toBe(404);
    const listed = await client.read('/admin/v1/users');
    expect(listed.users.map(({ id }: Json) => id)).toEqual(['bob', 'cyd', 'dot', 'eve']);
    const headers = { 'idempotency-key': `${ADAS_KEY} 0` };
    const body = { user: { id: ADA.id }, value: 1 };
    const again = await client.send('POST', '/v1/metrics/lessons/event', { body, headers });
    expect([again.status, again.json.total, again.json.idempotentReplayed]).toEqual([201, 1, false]);
    expect((await client.read(`/v1/users/${ADA.id}`)).name).toBeNull();
    const { events } = await client.read(`${userPath(ADA.id)}/events`);
    expect(events).toHaveLength(1);
  });

  it('is refused during an import', async () => {
    await live();
    const preview = await erasing(ADA.id, { preview: 'True' });
    expect((await client.send('POST', '/admin/v1/imports', { body: {} })).status).toBe(201);
    const opened = await erasing(ADA.id, { previewId: preview.json.previewId, reason: REASON });
    const again = await erasing(ADA.id, { preview: 'True' });
    for (const { status, json } of [opened, again]) {
      expect([status, json.code]).toEqual([422, 'import_open']);
      expect(json.error).toMatch(/POST \/admin\/v1\/imports\/finish.* ten minutes/);
    }
    const [outcome] = await served.service.engine.submit([
      {
        ...{ type: 'EraseUser', account: ACCOUNT, boards: 'remove', attribution: {} },
        subject: (await served.service.directory.find(ACCOUNT, ADA.id)) as number,
      },
    ]);
    expect(outcome).toMatchObject({ kind: 'refused', reason: 'import_open' });
    expect(await statusOf(ADA.id)).toBe(200);
  });

  it('is refused while an area has stopped', async () => {
    await live();
    const { json: preview } = await erasing(ADA.id, { preview: 'true' });
    await database.sql.query(
      "update area_checkpoints set position = position - 1 where area in ('points', 'leaderboards')",
      [],
    );
    await database.sql.query("update area_checkpoints set failure = 'broken' where area = 'points'", []);
    // A metric that no version has.
    const fact = { type: 'MetricEventRecorded', subject: 1, metric: 'none', value: { $bigint: '1' }, user: {} };
    const message = {
      ...{ areas: ['users', 'streaks', 'achievements'], user: null, effects: [], sections: {} },
      record: {
        account: ACCOUNT,
        eventId: 'e',
        position: 1,
        configurationVersion: 1,
        occurredAt: 0,
        recordedAt: 0,
        fact,
      },
    };
    await database.sql.query("insert into area_inbox select 'points', position * 10000, $1 from log_head", [
      JSON.stringify(message),
    ]);
    await restart();
    const stopped = await erasing(ADA.id, { previewId: preview.previewId, reason: REASON });
    expect([stopped.status, stopped.json.code]).toEqual([503, 'unavailable']);
    expect(await statusOf(ADA.id)).toBe(200);
  });

  it('names every invalid parameter, and the audit shows its author and reason', async () => {
    await live();
    const wrong = async (query: Readonly<Record<string, string>>) =>
      (await erasing(ADA.id, query)).json.errors.map(({ path }: Json) => path);
    expect(await wrong({})).toEqual(['previewId', 'reason']);
    expect(await wrong({ preview: 'perhaps', boards: 'all' })).toEqual(['preview', 'boards', 'previewId', 'reason']);
    const { json: preview } = await erasing(ADA.id, { preview: 'true' });
    const { previewId } = preview;
    expect(await wrong({ previewId, boards: 'anonymous', reason: REASON })).toEqual(['previewId']);
    for (const reason of [
      `for ${ADA.id}`,
      `${ADA.id}s wish, ${ADA.id}1`,
      `ask ${ADA.name.toUpperCase()}!`,
      `from ${ADA.email}`,
    ])
      expect(await wrong({ previewId, reason })).toEqual(['reason']);
    expect((await erasing('nobody', { preview: 'true' })).status).toBe(404);
    const { eventId } = await erase(ADA.id);
    const { entries } = await client.read('/admin/v1/audit?limit=1');
    expect(entries).toEqual([
      {
        ...{ id: eventId, type: 'UserErased', by: 'environment', reason: REASON, userId: null },
        ...{ at: expect.any(String), details: { boards: 'remove' } },
      },
    ]);
    expect((await erasing(ADA.id, { previewId, reason: REASON })).status).toBe(404);
  });

  it('refuses commands of the erased user that were under way, and the next creates a new user', async () => {
    await live();
    const subject = (await served.service.directory.find(ACCOUNT, ADA.id)) as number;
    await erase(ADA.id);
    const [outcome] = await served.service.engine.submit([
      { type: 'IdentifyUser', account: ACCOUNT, subject, user: { name: ADA.name } },
    ]);
    expect(outcome).toMatchObject({ kind: 'refused', reason: 'erased' });
    expect(found(await dump())).toEqual([]);
  });
});
