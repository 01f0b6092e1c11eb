import { jest } from '@jest/globals';
import { userKey } from '@laurel/kernel';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import pg from 'pg';
import { ENGINE_MIGRATIONS } from '../storage/state-columns.fixture.ts';
import { PostgresRebuildStore } from './postgres-rebuild-store.ts';
import { COUNTS, NOTES } from './rebuilt-tables.fixture.ts';

const TABLES = `
  create table counts (key text primary key, n bigint not null);
  create table notes (position bigint primary key);
  create table more (position bigint primary key);
  create table most (position bigint primary key);`;
const ADA = { account: 'default', subject: 1 };

let database: TestDatabase;
let store: PostgresRebuildStore;

beforeEach(async () => {
  database = await openTestDatabase([
    { name: '0001-live', sql: 'create table log_head (position bigint)' },
    ...ENGINE_MIGRATIONS,
  ]);
});
afterEach(async () => {
  await store.close();
  await database.close();
});

async function open(heldBytes: number): Promise<void> {
  store = await PostgresRebuildStore.open({
    states: new Map(),
    derived: [],
    config: database.config,
    epoch: 1,
    migrations: [...ENGINE_MIGRATIONS, { name: '9001-tables', sql: TABLES }],
    tables: new Map([['points', [COUNTS, NOTES, { ...NOTES, name: 'more' }, { ...NOTES, name: 'most' }]]]),
    heldBytes,
  });
}

/** The first piece has six users. */
const write = (position: number): Promise<void> => {
  store.keep(
    (position === 1 ? [1, 2, 3, 4, 5, 6] : [1]).map((subject) => ({
      ...ADA,
      ...{ subject, document: `{"users":${position}}`, dueAt: null },
    })),
  );
  store.add(new Map([['counts', [{ key: 'a', n: 1 }]]]));
  store.add(new Map([['notes', [{ position }]]]));
  return store.write();
};

/** How many rows each table has, and how many keys and indexes. */
async function written(): Promise<Record<string, { rows: number; keys: number }>> {
  const found: Record<string, { rows: number; keys: number }> = {};
  for (const table of ['user_states', 'counts', 'notes']) {
    const [counts] = await database.sql.query<{ rows: number; keys: number }>(
      `select (select count(*)::int from laurel_rebuild.${table}) as rows,
         (select count(*)::int from pg_index where indrelid = 'laurel_rebuild.${table}'::regclass) as keys`,
      [],
    );
    if (counts) found[table] = counts;
  }
  return found;
}

describe('read models during a rebuild', () => {
  it('have no keys until the take-over is prepared, and then hold each waiting row once', async () => {
    await open(10_000);
    for (const position of [1, 2, 3]) await write(position);
    expect(await written()).toEqual({
      user_states: { rows: 0, keys: 0 },
      counts: { rows: 0, keys: 0 },
      notes: { rows: 3, keys: 0 },
    });
    await store.prepareTakeOver();
    await write(4);
    expect(await written()).toEqual({
      user_states: { rows: 6, keys: 3 },
      counts: { rows: 1, keys: 1 },
      notes: { rows: 4, keys: 1 },
    });
    expect(await store.readerOf('points').query('select n::int from counts', [])).toEqual([{ n: 4 }]);
  });

  it('are prepared over two connections that never wait for each other', async () => {
    await open(10_000);
    await write(1);
    for (const table of ['more', 'most']) store.add(new Map([[table, [{ position: 1 }]]]));
    const lent: number[] = [];
    const connect = Reflect.get(pg.Pool.prototype, 'connect') as (...asked: unknown[]) => unknown;
    const counted = function (this: pg.Pool, ...asked: unknown[]) {
      lent.push(this.totalCount - this.idleCount + this.waitingCount);
      return Reflect.apply(connect, this, asked);
    };
    const connecting = jest.spyOn(pg.Pool.prototype, 'connect').mockImplementation(counted as never);
    await store.prepareTakeOver();
    connecting.mockRestore();
    expect([lent.length > 4, Math.max(...lent)]).toEqual([true, 2]);
  });

  it('are written early, largest table first, if too many bytes wait', async () => {
    await open(500);
    await write(1);
    const states = { rows: 6, keys: 3 };
    expect(await written()).toMatchObject({ user_states: states, counts: { rows: 0, keys: 0 } });
  });

  it.each([10_000, 500, 1])(
    'are read as written, in memory or in the database, if %i bytes may wait',
    async (heldBytes) => {
      await open(heldBytes);
      const points = store.readerOf('points');
      for (const position of [1, 2]) await write(position);
      expect([...(await store.loadDocuments([ADA, { ...ADA, subject: 7 }])).keys()]).toEqual([userKey(ADA)]);
      for (const position of [3, 4]) {
        await write(position);
        expect((await store.loadDocuments([ADA])).get(userKey(ADA))).toMatchObject({ users: position });
        expect(await points.query('select n::int from counts', [])).toEqual([{ n: position }]);
      }
    },
  );
});
