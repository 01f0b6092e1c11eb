import type { PreparedStatements } from '../postgres-partition-store.ts';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import pg from 'pg';
import { PostgresRelayStore, StaleRelayError, relayMigrations } from './relay-store.ts';

let database: TestDatabase;
let pool: pg.Pool;
let store: PostgresRelayStore;

beforeEach(async () => {
  database = await openTestDatabase(relayMigrations);
  pool = new pg.Pool({ ...database.connection, max: 4 });
  const statements: PreparedStatements = {
    query: async <R extends pg.QueryResultRow>(name: string, text: string, values: readonly unknown[]) =>
      (await pool.query<R>({ name, text, values: [...values] })).rows,
  };
  store = new PostgresRelayStore(statements);
});
afterEach(async () => {
  await pool.end();
  await database.close();
});

const START = { position: 0, sent: new Map() };

describe('the checkpoint of the relay', () => {
  it('is before the first recorded event, and is read as it was saved', async () => {
    expect(await store.read()).toEqual(START);
    const after = {
      position: 9_000_000_000,
      sent: new Map([
        [0, 5],
        [11, 8_000_000_000],
      ]),
    };
    await store.save(START, after);
    expect(await store.read()).toEqual(after);
  });

  it('is advanced by only one of many concurrent relays', async () => {
    const attempts = Array.from({ length: 4 }, (_, n) =>
      store.save(START, { position: 10 + n, sent: new Map([[n, 1]]) }),
    );
    const outcomes = await Promise.allSettled(attempts);
    const winner = outcomes.findIndex(({ status }) => status === 'fulfilled');
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(outcomes.filter((one) => one.status === 'rejected' && one.reason instanceof StaleRelayError)).toHaveLength(
      3,
    );
    expect(await store.read()).toEqual({ position: 10 + winner, sent: new Map([[winner, 1]]) });
  });
});
