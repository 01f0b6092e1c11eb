import { databaseMigrations, dataSourceOf } from '@laurel/database';
import { createClock, hashApiKey } from '@laurel/runtime';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import type { DataSource } from 'typeorm';
import { FollowedKeys } from './followed-keys.ts';
import { StoredKeys } from './stored-keys.ts';

const UNRECORDED = { record: () => Promise.resolve() };

describe('keys created by another process', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let elsewhere: StoredKeys;
  let followed: FollowedKeys;
  const clock = createClock({ type: 'system' });

  beforeEach(async () => {
    database = await openTestDatabase(databaseMigrations);
    dataSource = await dataSourceOf(database.connection, []).initialize();
    elsewhere = await StoredKeys.open(dataSource, ['acme'], clock, UNRECORDED);
    const here = await StoredKeys.open(dataSource, ['acme'], clock, UNRECORDED);
    followed = new FollowedKeys(here, clock, (error) => {
      throw error;
    });
  });
  afterEach(async () => {
    followed.stop();
    await dataSource.destroy();
    await database.close();
  });

  const make = async () => hashApiKey((await elsewhere.create('acme', { label: 'new', scopes: ['read'] }, {})).key);
  const OURS = { account: 'acme', by: expect.any(String), scopes: new Set(['read']) };

  it('are found at once, also right after a search for an unknown key', async () => {
    expect(await followed.find(hashApiKey('nobody’s'))).toBe('unknown');
    expect(await followed.find(await make())).toEqual(OURS);
    expect(await followed.find(await make())).toEqual(OURS);
  });

  it('are found by callers who ask while the table is being read for another', async () => {
    const first = followed.find(hashApiKey('nobody’s'));
    const [made, unknown] = [await make(), hashApiKey('nobody’s either')];
    expect(await Promise.all([first, followed.find(made), followed.find(unknown)])).toEqual([
      'unknown',
      OURS,
      'unknown',
    ]);
  });
});
