import type { Instant } from '@laurel/calendar';
import { StoreUnavailableError } from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import type { NewKeyRequest } from '@laurel/schemas';
import { ApiKeyEntity, databaseMigrations, dataSourceOf } from '@laurel/database';
import { createClock, hashApiKey } from '@laurel/runtime';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import type { DataSource } from 'typeorm';
import { StoredKeys } from './stored-keys.ts';

const NOW = Date.UTC(2026, 5, 1, 12);
const HOUR_MS = 3_600_000;
const ADMIN = { by: 'an-admin' };
const UNRECORDED = { record: () => Promise.resolve() };
const iso = (instant: Instant) => new Date(instant).toISOString();

describe('the stored keys', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let now: Instant;
  const clock: Clock = { ...createClock({ type: 'system' }), now: () => now };

  beforeEach(async () => {
    now = NOW;
    database = await openTestDatabase(databaseMigrations);
    dataSource = await dataSourceOf(database.connection, []).initialize();
  });
  afterEach(async () => {
    if (dataSource.isInitialized) await dataSource.destroy();
    await database.close();
  });

  const open = (...accounts: string[]) =>
    StoredKeys.open(dataSource, accounts.length > 0 ? accounts : ['acme'], clock, UNRECORDED);
  const reading: NewKeyRequest = { label: 'dashboard', scopes: ['read'] };

  it('find a key from the moment it is created, also after a restart', async () => {
    const keys = await open();
    const made = await keys.create(
      'acme',
      { ...reading, scopes: ['admin', 'read', 'read'], requestsPerMinute: 5 },
      ADMIN,
    );
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      label: 'dashboard',
      scopes: ['read', 'admin'],
      createdAt: iso(NOW),
      createdBy: 'an-admin',
      expiresAt: null,
      revokedAt: null,
      revokedBy: null,
      requestsPerMinute: 5,
      key: expect.stringMatching(/^lrl_\w{36}$/),
    });
    const principal = {
      account: 'acme',
      by: made.id,
      scopes: new Set(['read', 'admin']),
      rateLimit: { keyId: made.id, requestsPerMinute: 5 },
    };
    for (const ring of [keys, await open()]) {
      expect(ring.find(hashApiKey(made.key))).toEqual(principal);
      expect([ring.find(hashApiKey('another')), ring.knows(hashApiKey('another'))]).toEqual(['unknown', false]);
      const { key: _key, ...listed } = made;
      expect(await ring.list('acme')).toEqual([listed]);
    }
  });

  it('store a hash and never the key', async () => {
    const { key } = await (await open()).create('acme', reading, ADMIN);
    const [row] = await database.sql.query<Record<string, unknown>>('select k::text as text, hash from api_keys k', []);
    expect(row?.['hash']).toBe(hashApiKey(key));
    expect(row?.['text']).not.toContain(key.slice(4));
  });

  it('refuse a key from the exact instant of its expiry', async () => {
    const keys = await open();
    const { key } = await keys.create('acme', { ...reading, expiresAt: iso(NOW + HOUR_MS) }, ADMIN);
    const again = await open();
    for (const ring of [keys, again]) {
      now = NOW + HOUR_MS - 1;
      expect(ring.find(hashApiKey(key))).toMatchObject({ account: 'acme' });
      now = NOW + HOUR_MS;
      expect(ring.find(hashApiKey(key))).toBe('expired');
    }
    expect(await again.list('acme')).toMatchObject([{ expiresAt: iso(NOW + HOUR_MS), revokedAt: null }]);
  });

  it('revoke a key at once and permanently, and keep the first revocation', async () => {
    const keys = await open();
    const { id, key } = await keys.create('acme', reading, ADMIN);
    now += HOUR_MS;
    expect(await keys.revoke('acme', id, ADMIN)).toMatchObject({ id, revokedAt: iso(NOW + HOUR_MS) });
    expect([keys.find(hashApiKey(key)), keys.knows(hashApiKey(key))]).toEqual(['revoked', true]);
    now += HOUR_MS;
    for (const ring of [keys, await open()]) {
      expect(await ring.revoke('acme', id, ADMIN)).toMatchObject({ revokedAt: iso(NOW + HOUR_MS) });
      expect(await ring.list('acme')).toMatchObject([{ id, revokedAt: iso(NOW + HOUR_MS) }]);
      expect(ring.find(hashApiKey(key))).toBe('revoked');
    }
  });

  it('revoke a key at once even while they are being read again', async () => {
    const keys = await open();
    const { id, key } = await keys.create('acme', reading, ADMIN);
    await Promise.all([keys.refresh(), keys.revoke('acme', id, ADMIN)]);
    expect(keys.find(hashApiKey(key))).toBe('revoked');
  });

  it('keep a revocation by another process as it was', async () => {
    const [one, other] = [await open(), await open()];
    const { id } = await one.create('acme', reading, ADMIN);
    await other.refresh();
    await other.revoke('acme', id, { by: 'another-admin' });
    now += HOUR_MS;
    const first = { revokedAt: iso(NOW), revokedBy: 'another-admin' };
    expect(await one.revoke('acme', id, ADMIN)).toMatchObject(first);
    expect(await (await open()).list('acme')).toMatchObject([first]);
  });

  it('revoke a key once, however many requests ask at the same time', async () => {
    const keys = await open();
    const { id } = await keys.create('acme', reading, ADMIN);
    const revoking = Array.from({ length: 5 }, () => {
      now += HOUR_MS;
      return keys.revoke('acme', id, ADMIN);
    });
    const instants = new Set((await Promise.all(revoking)).map((answer) => answer?.revokedAt));
    expect(instants.size).toBe(1);
    expect(instants).toEqual(new Set((await (await open()).list('acme')).map(({ revokedAt }) => revokedAt)));
  });

  it('list only the keys of the account, in order of creation', async () => {
    const keys = await open('acme', 'other');
    const labels = ['first', '__proto__', 'third'];
    for (const label of labels) {
      await keys.create('acme', { ...reading, label }, ADMIN);
      now += 1;
    }
    const { id, key } = await keys.create('other', reading, ADMIN);
    for (const ring of [keys, await open('acme', 'other')]) {
      expect((await ring.list('acme')).map(({ label }) => label)).toEqual(labels);
      expect(await ring.revoke('acme', id, ADMIN)).toBeNull();
      expect(await ring.revoke('acme', 'constructor', ADMIN)).toBeNull();
      expect(ring.find(hashApiKey(key))).toMatchObject({ account: 'other' });
    }
    expect((await open('acme')).find(hashApiKey(key))).toBe('unknown');
  });

  it('change nothing while the database is unreachable', async () => {
    const keys = await open();
    const { id, key } = await keys.create('acme', reading, ADMIN);
    await dataSource.destroy();
    await expect(keys.revoke('acme', id, ADMIN)).rejects.toBeInstanceOf(StoreUnavailableError);
    expect(await keys.list('acme')).toMatchObject([{ id, revokedAt: null }]);
    await expect(keys.create('acme', reading, ADMIN)).rejects.toBeInstanceOf(StoreUnavailableError);
    expect(keys.find(hashApiKey(key))).toMatchObject({ account: 'acme' });
    await dataSource.initialize();
    expect(await keys.list('acme')).toMatchObject([{ id, revokedAt: null }]);
    expect(await keys.revoke('acme', id, ADMIN)).toMatchObject({ revokedAt: iso(NOW) });
  });

  it('list a key that was stored although the answer of the database was lost', async () => {
    const repository = dataSource.getRepository(ApiKeyEntity);
    const insert = repository.insert.bind(repository);
    const keys = await open();
    repository.insert = async (entity) => {
      await insert(entity);
      throw new Error('Connection terminated unexpectedly');
    };
    await expect(keys.create('acme', { ...reading, label: 'lost' }, ADMIN)).rejects.toBeInstanceOf(
      StoreUnavailableError,
    );
    repository.insert = insert;
    now += 1;
    await keys.create('acme', { ...reading, label: 'made' }, ADMIN);
    const listed = await keys.list('acme');
    expect(listed.map(({ label }) => label)).toEqual(['lost', 'made']);
    const lost = listed[0]?.id ?? '';
    expect(await keys.revoke('acme', lost, ADMIN)).toMatchObject({ id: lost, revokedAt: iso(now) });
    expect((await (await open()).list('acme'))[0]).toMatchObject({ id: lost, revokedAt: iso(now) });

    await dataSource.destroy();
    await expect(keys.list('acme')).rejects.toBeInstanceOf(StoreUnavailableError);
  });

  it('keep the keys of a table from before expiry, revocation and limits', async () => {
    const [before, ...after] = databaseMigrations;
    const old = await openTestDatabase([before!]);
    await old.sql.query(
      `insert into api_keys (account, id, hash, label, scopes, created_at)
       values ('acme', gen_random_uuid(), $1, 'old', '{admin,gone}', now())`,
      [hashApiKey('a key of old')],
    );
    for (const { sql } of after) await old.sql.query(sql, []);
    const source = await dataSourceOf(old.connection, []).initialize();
    const keys = await StoredKeys.open(source, ['acme'], clock, UNRECORDED);
    expect(keys.find(hashApiKey('a key of old'))).toMatchObject({ account: 'acme', scopes: new Set(['admin']) });
    expect(await source.getRepository(ApiKeyEntity).count()).toBe(1);
    await source.destroy();
    await old.close();
  });
});
