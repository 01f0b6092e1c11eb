import { openTestDatabase, startPgBouncer, type PgBouncer, type TestDatabase } from '@laurel/testing/database';
import pg from 'pg';
import { assertSessionsAreKept } from './assert-sessions-are-kept.ts';
import { StartError } from './connection.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase([]);
});
afterAll(() => database.close());

async function behind<T>(settings: Readonly<Record<string, string>>, work: (pooler: PgBouncer) => Promise<T>) {
  const pooler = await startPgBouncer(database.connection, settings);
  try {
    return await work(pooler);
  } finally {
    await pooler.close();
  }
}

const asked = (settings: Readonly<Record<string, string>>) =>
  behind(settings, ({ connection }) => assertSessionsAreKept(connection).catch((error: unknown) => error));

it.each([
  ['with its default configuration', {}],
  ['with session pooling', { pool_mode: 'session', server_round_robin: '1' }],
])('a pooler %s is accepted', async (_, settings) => {
  expect(await asked(settings)).toBeUndefined();
});

it('a connection without a pooler is accepted', async () => {
  await expect(assertSessionsAreKept(database.connection)).resolves.toBeUndefined();
});

describe.each(['transaction', 'statement'])('%s pooling', (pool_mode) => {
  it.each([
    ['the most recently returned session', { server_round_robin: '0' }],
    ['the session that has been idle longest', { server_round_robin: '1' }],
    ['its only session', { default_pool_size: '1' }],
    ['one of two sessions in turn', { default_pool_size: '2', min_pool_size: '2', server_round_robin: '1' }],
    ['one of three sessions in turn', { default_pool_size: '3', min_pool_size: '3', server_round_robin: '1' }],
  ])('is refused by name when it lends %s', async (_, settings) => {
    const error = await asked({ pool_mode, ...settings });
    expect(error).toBeInstanceOf(StartError);
    expect((error as Error).message).toMatch(new RegExp(`uses ${pool_mode} pooling, .* pool_mode = session`));
  });

  it('is refused even while other clients use it', async () => {
    const error = await behind({ pool_mode, server_round_robin: '1' }, async ({ connection }) => {
      const others = new pg.Pool({ ...connection, max: 6 });
      let isOver = false;
      const ask = async () => {
        while (!isOver) await others.query('select pg_sleep(random() / 500)');
      };
      const asking = Array.from({ length: 6 }, ask);
      const refused: unknown = await assertSessionsAreKept(connection).catch((thrown: unknown) => thrown);
      isOver = true;
      await Promise.all(asking);
      await others.end();
      return refused;
    });
    expect((error as Error).message).toContain(`${pool_mode} pooling`);
  });
});
