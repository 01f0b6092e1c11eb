import type { Instant } from '@laurel/calendar';
import { StoreUnavailableError, type ApiKeyEvent, type RecordedEvent } from '@laurel/kernel';
import { databaseMigrations, dataSourceOf } from '@laurel/database';
import { hashApiKey } from '@laurel/runtime';
import { ManualClock } from '@laurel/testing/clock';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import type { DataSource } from 'typeorm';
import type { KeyLog } from './key-events.ts';
import { makeFirstKey, openKeys, type Keys, type KeysDependencies } from './open-keys.ts';

const ADMIN = { by: 'an-admin' };
const READING = { label: 'dashboard', scopes: ['read' as const] };

/** A log that several processes append to; it records and then fails, or fails before, if a test says so. */
class MemoryLog implements KeyLog {
  readonly records: { fact: ApiKeyEvent; at: Instant }[] = [];
  fails: 'before' | 'after' | null = null;
  reads = 0;
  takesMs = 0;

  async readAccountEvents(_account: string, types: readonly ApiKeyEvent['type'][]): Promise<readonly RecordedEvent[]> {
    this.reads++;
    return this.records.filter(({ fact }) => types.includes(fact.type)) as unknown as RecordedEvent[];
  }

  async recordKeyEvent(_account: string, fact: ApiKeyEvent, at: Instant): Promise<void> {
    if (this.fails === 'before') throw new StoreUnavailableError('away');
    await new Promise((resolve) => setTimeout(resolve, this.takesMs));
    this.records.push({ fact, at });
    if (this.fails === 'after') throw new StoreUnavailableError('the answer was lost');
  }

  get events(): readonly string[] {
    return this.records.map(({ fact: { type, id, by = 'nobody' } }) => `${type} ${id} by ${by}`);
  }
}

describe('the events of keys', () => {
  let database: TestDatabase;
  let log: MemoryLog;
  let clock: ManualClock;
  let troubles: unknown[];
  const opened: { keys: Awaited<ReturnType<typeof openKeys>>; dataSource: DataSource }[] = [];

  beforeEach(async () => {
    database = await openTestDatabase(databaseMigrations);
    [log, clock, troubles] = [new MemoryLog(), new ManualClock(), []];
  });
  afterEach(async () => {
    for (const { keys, dataSource } of opened.splice(0)) {
      await keys.stop();
      await dataSource.destroy();
    }
    await database.close();
  });

  const connect = () => dataSourceOf(database.connection, []).initialize();

  /** As a process that starts. */
  async function open({ dataSource: given, ...parts }: Partial<KeysDependencies> = {}): Promise<Keys> {
    const dataSource = given ?? (await connect());
    const onTrouble = (error: unknown) => void troubles.push(error);
    const keys = await openKeys({ dataSource, account: 'acme', given: null, clock, log, onTrouble, ...parts });
    opened.push({ keys, dataSource });
    return keys;
  }

  it('contain every field of the key except key and hash, with author and reason', async () => {
    const { ring } = await open();
    const expiresAt = new Date(clock.now() + 1).toISOString();
    const limited = { ...READING, expiresAt, requestsPerMinute: 60 };
    const { id, key } = await ring.create('acme', limited, { ...ADMIN, reason: 'a wall' });
    const createdAt = clock.now();
    await clock.advance(1_000);
    await ring.revoke('acme', id, { by: 'local', reason: 'the wall fell' });
    await ring.revoke('acme', id, { by: 'local', reason: 'again' });
    const limits = { expiresAt: createdAt + 1, requestsPerMinute: 60 };
    expect(log.records).toEqual([
      { fact: { type: 'ApiKeyCreated', id, ...READING, ...limits, ...ADMIN, reason: 'a wall' }, at: createdAt },
      { fact: { type: 'ApiKeyRevoked', id, by: 'local', reason: 'the wall fell' }, at: createdAt + 1_000 },
    ]);
    for (const secret of [key, hashApiKey(key)]) expect(JSON.stringify(log.records)).not.toContain(secret);
    expect(await ring.list('acme')).toMatchObject([{ createdBy: 'an-admin', revokedBy: 'local' }]);
    expect(log.reads).toBe(0);
  });

  it.each(['before', 'after'] as const)(
    'are completed once by the next start when the process ends %s they are recorded',
    async (when) => {
      const { ring } = await open();
      log.fails = when;
      const { id } = await ring.create('acme', READING, ADMIN);
      await ring.revoke('acme', id, ADMIN);
      log.fails = null;
      for (let start = 0; start < 2; start++) await open();
      expect(log.events).toEqual([`ApiKeyCreated ${id} by an-admin`, `ApiKeyRevoked ${id} by an-admin`]);
    },
  );

  it('are retried while the log is unavailable, and the change already counts', async () => {
    const { ring, known } = await open();
    log.fails = 'before';
    const { id, key } = await ring.create('acme', READING, ADMIN);
    expect(known.find(hashApiKey(key))).toMatchObject({ by: id });
    expect([log.events, troubles]).toEqual([[], [expect.any(StoreUnavailableError)]]);
    log.fails = null;
    await clock.advance(5_000);
    await ring.create('acme', READING, ADMIN);
    expect(log.events).toHaveLength(2);
    expect(log.events[0]).toBe(`ApiKeyCreated ${id} by an-admin`);
  });

  it('are recorded once by processes that start at the same time', async () => {
    const { ring } = await open({ log: null });
    for (let n = 0; n < 5; n++) await ring.create('acme', READING, ADMIN);
    log.takesMs = 20;
    const sources = await Promise.all(Array.from({ length: 3 }, connect));
    await Promise.all(sources.map((dataSource) => open({ dataSource })));
    expect([log.events.length, new Set(log.events).size]).toEqual([5, 5]);
  });

  it('are recorded without an author for keys from an earlier release', async () => {
    const id = '0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6a';
    await database.sql.query(
      `insert into api_keys (account, id, hash, label, scopes, created_at, revoked_at)
       values ('acme', $1, 'x', 'old', '{read}', '2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z')`,
      [id],
    );
    await open();
    expect(log.events).toEqual([`ApiKeyCreated ${id} by nobody`, `ApiKeyRevoked ${id} by nobody`]);
    expect(log.records.map(({ at }) => at)).toEqual([Date.UTC(2026, 0, 1), Date.UTC(2026, 1, 1)]);
  });

  it('name the start as author of the environment key and of the first key, each once', async () => {
    const given = 'a key of 24 characters, or more';
    for (let start = 0; start < 2; start++) await open({ given: `${given}${start}` });
    const { ring } = await open();
    const first = await makeFirstKey(ring, 'acme', null);
    const [{ id } = { id: '' }] = await ring.list('acme');
    expect(log.events).toEqual(['ApiKeyCreated environment by start', `ApiKeyCreated ${id} by start`]);
    for (const secret of [given, hashApiKey(`${given}0`), first, hashApiKey(first ?? '')])
      expect(JSON.stringify(log.records)).not.toContain(secret);
  });
});
