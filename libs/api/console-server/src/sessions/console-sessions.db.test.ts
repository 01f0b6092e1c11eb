import type { Scope } from '@laurel/schemas';
import { ConsoleSessionEntity, databaseMigrations, dataSourceOf } from '@laurel/database';
import { jest } from '@jest/globals';
import { type Credential, hashApiKey, type KeyRefusal, type Principal } from '@laurel/runtime';
import { ManualClock } from '@laurel/testing/clock';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import type { DataSource } from 'typeorm';
import { ConsoleSessions, type OpenedSession } from './console-sessions.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const LOCAL: Principal = {
  account: 'acme',
  by: 'local',
  scopes: new Set(['ingest', 'read', 'support', 'admin', 'export']),
};
const ADA: Principal = { account: 'acme', by: 'key-of-ada', scopes: new Set(['read', 'ingest']) };

describe('console sessions', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let clock: ManualClock;
  let keys: Map<string, Principal | KeyRefusal>;
  let sessions: ConsoleSessions;
  /** Another gateway, over the same tables. */
  let elsewhere: ConsoleSessions;

  beforeEach(async () => {
    database = await openTestDatabase(databaseMigrations);
    dataSource = await dataSourceOf(database.connection, []).initialize();
    clock = new ManualClock();
    keys = new Map([[hashApiKey('key of ada'), ADA]]);
    const parts = { dataSource, clock, keys: { find: (hash: string) => keys.get(hash) ?? 'unknown' } };
    sessions = new ConsoleSessions(parts);
    elsewhere = new ConsoleSessions(parts);
  });
  afterEach(async () => {
    await dataSource.destroy();
    await database.close();
  });

  const opened = (session: OpenedSession | null): OpenedSession => {
    if (session === null) throw new Error('nobody was let in');
    return session;
  };
  const signIn = async () => opened(await sessions.openWithKey('key of ada'));
  const linkOf = async (maker: Principal, scopes: readonly Scope[], credential: Credential) => {
    const link = await sessions.link(maker, scopes, credential);
    if (link === null) throw new Error('no link was made');
    return link;
  };
  const localLink = (...scopes: readonly Scope[]) => linkOf(LOCAL, scopes, { kind: 'local' });
  const linkOfAda = (...scopes: readonly Scope[]) =>
    linkOf(ADA, scopes, { kind: 'key', hash: hashApiKey('key of ada') });

  it('allow what their key allows, in every gateway', async () => {
    const { token, session } = await signIn();
    expect(session).toMatchObject({ by: 'key-of-ada', scopes: ['ingest', 'read'] });
    expect(await elsewhere.find(token)).toEqual(ADA);
    keys.set(hashApiKey('key of ada'), { ...ADA, scopes: new Set(['read']) });
    expect(await elsewhere.find(token)).toMatchObject({ scopes: new Set(['read']) });
  });

  it('are not opened by an unknown, revoked or expired key', async () => {
    expect(await sessions.openWithKey('key of nobody')).toBeNull();
    for (const refusal of ['revoked', 'expired'] as const) {
      keys.set(hashApiKey('key of ada'), refusal);
      expect(await sessions.openWithKey('key of ada')).toBeNull();
    }
    expect(await sessions.list('acme')).toEqual([]);
  });

  it('end at once with their key', async () => {
    const { token } = await signIn();
    keys.set(hashApiKey('key of ada'), 'revoked');
    expect(await elsewhere.find(token)).toBeNull();
  });

  it('end an hour after the last use', async () => {
    const { token } = await signIn();
    await clock.advance(HOUR_MS - 1);
    expect(await elsewhere.find(token)).toEqual(ADA);
    await clock.advance(HOUR_MS - 1);
    expect(await sessions.find(token)).toEqual(ADA);
    await clock.advance(HOUR_MS);
    expect(await sessions.find(token)).toBeNull();
    expect(await sessions.list('acme')).toEqual([]);
  });

  it('are not prolonged by a request that only asks whether they are open', async () => {
    const { token } = await signIn();
    for (let minute = 0; minute < 60; minute += 15) {
      expect(await elsewhere.isOpen(token)).toBe(true);
      await clock.advance(15 * MINUTE_MS);
    }
    expect(await elsewhere.isOpen(token)).toBe(false);
  });

  it('end twelve hours after they were opened, however much they are used', async () => {
    const { token } = await signIn();
    for (let minute = 0; minute < 12 * 60; minute += 45) {
      expect(await sessions.find(token)).toEqual(ADA);
      await clock.advance(45 * MINUTE_MS);
    }
    expect(await sessions.find(token)).toBeNull();
  });

  it('are written at most once a minute', async () => {
    const { token, session } = await signIn();
    await clock.advance(MINUTE_MS - 1);
    await sessions.find(token);
    expect(await sessions.list('acme')).toMatchObject([{ usedAt: session.usedAt }]);
    await clock.advance(1);
    await sessions.find(token);
    expect(await sessions.list('acme')).toMatchObject([{ usedAt: '1970-01-01T00:01:00.000Z' }]);
  });

  it('are written once by simultaneous requests', async () => {
    const { token } = await signIn();
    await clock.advance(MINUTE_MS);
    const updates = jest.spyOn(dataSource.getRepository(ConsoleSessionEntity), 'update');
    expect(await Promise.all(Array.from({ length: 6 }, () => sessions.find(token)))).toEqual(Array(6).fill(ADA));
    expect(updates).toHaveBeenCalledTimes(1);
  });

  it('are ended by their holder, or by id within their account', async () => {
    const [first, second] = [await signIn(), await signIn()];
    await sessions.endOf(first.token);
    expect(await elsewhere.find(first.token)).toBeNull();
    expect(await sessions.end('another', second.session.id)).toBeNull();
    expect(await elsewhere.find(second.token)).toEqual(ADA);
    expect(await sessions.end('acme', second.session.id)).toEqual(second.session);
    expect(await elsewhere.find(second.token)).toBeNull();
    expect(await sessions.end('acme', second.session.id)).toBeNull();
  });

  it('are stored without their token, their link or their key', async () => {
    const { token } = await signIn();
    const link = await linkOfAda('read');
    opened(await sessions.openWithLink((await linkOfAda('read')).token));
    const stored = JSON.stringify(await dataSource.query('select * from console_sessions, console_links'));
    for (const secret of [token, link.token, 'key of ada', hashApiKey('key of ada')])
      expect(stored).not.toContain(secret);
  });

  it('are opened once by a link, with its scopes and its creator', async () => {
    const { token } = await localLink('read', 'admin');
    const both = await Promise.all([sessions.openWithLink(token), elsewhere.openWithLink(token)]);
    const [session, ...others] = both.filter((one) => one !== null);
    expect(others).toEqual([]);
    expect(await elsewhere.find(opened(session ?? null).token)).toEqual({
      ...{ account: 'acme', by: 'local', scopes: new Set(['read', 'admin']) },
    });
    expect(await sessions.openWithLink(token)).toBeNull();
  });

  it('are not opened by an expired or unknown link', async () => {
    const { token, expiresAt } = await localLink('read');
    expect(expiresAt).toBe('1970-01-01T00:30:00.000Z');
    await clock.advance(30 * MINUTE_MS);
    expect(await sessions.openWithLink(token)).toBeNull();
    expect(await sessions.openWithLink('never made')).toBeNull();
  });

  it('end with the key that created their link, and may do no more than the key', async () => {
    const token = opened(await sessions.openWithLink((await linkOfAda('read')).token)).token;
    const unused = await linkOfAda('read', 'ingest');
    expect(await elsewhere.find(token)).toEqual({ ...ADA, scopes: new Set(['read']) });
    keys.set(hashApiKey('key of ada'), { ...ADA, scopes: new Set(['ingest']) });
    expect(await elsewhere.find(token)).toMatchObject({ scopes: new Set() });
    for (const refusal of ['revoked', 'expired'] as const) {
      keys.set(hashApiKey('key of ada'), refusal);
      expect(await elsewhere.find(token)).toBeNull();
    }
    expect(await elsewhere.openWithLink(unused.token)).toBeNull();
  });

  it('pass their key on to the links that they create', async () => {
    let { token } = await signIn();
    for (let generation = 0; generation < 3; generation++) {
      const link = await linkOf(ADA, ['read'], { kind: 'session', token });
      ({ token } = opened(await sessions.openWithLink(link.token)));
    }
    expect(await elsewhere.find(token)).toEqual({ ...ADA, scopes: new Set(['read']) });
    keys.set(hashApiKey('key of ada'), 'revoked');
    expect(await elsewhere.find(token)).toBeNull();
  });

  it('create no links when they have no key to end with', async () => {
    const { token } = opened(await sessions.openWithLink((await localLink('admin')).token));
    const maker = LOCAL;
    expect(await sessions.link(maker, ['admin'], { kind: 'session', token })).toBeNull();
  });

  it('are limited to a thousand per account: the least recently used one makes room', async () => {
    const { token } = await signIn();
    await clock.advance(MINUTE_MS);
    await dataSource.query(
      `insert into console_sessions (account, id, hash, sealed_key, by, scopes, created_at, used_at)
       select 'acme', gen_random_uuid(), 'hash ' || n, null, 'local', '{read}', $1, $1 from generate_series(1, 999) n`,
      [new Date(clock.now())],
    );
    expect(await sessions.find(token)).toEqual(ADA);
    await dataSource.query(`update console_sessions set used_at = $1 where by = 'key-of-ada'`, [new Date(0)]);
    const { token: another } = await signIn();
    expect(await sessions.list('acme')).toHaveLength(1_000);
    expect([await sessions.find(token), await sessions.find(another)]).toEqual([null, ADA]);
  });
});
