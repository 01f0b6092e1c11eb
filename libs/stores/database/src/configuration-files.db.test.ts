import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { configurationFilesMigrations, PostgresConfigurationFiles } from './configuration-files.ts';

let database: TestDatabase;
let files: PostgresConfigurationFiles;
beforeAll(async () => {
  database = await openTestDatabase(configurationFilesMigrations);
  files = new PostgresConfigurationFiles(database.sql);
});
afterAll(() => database.close());

const FIRST = { version: 1, publishedAt: 1_000 };

describe('the stored text of a configuration version', () => {
  it('is null if none was stored', async () => {
    expect(await files.textOf('a', FIRST)).toBeNull();
  });

  it('is the last one stored, character by character', async () => {
    const written = '# a\r\n\t"é" 🏃\n\n';
    await files.keepText('a', FIRST, 'version: 1');
    await files.keepText('a', FIRST, written);
    await files.keepText('b', FIRST, '# of another account');
    await files.keepText('a', { version: 2, publishedAt: 2_000 }, '# of another version');
    expect(await files.textOf('a', FIRST)).toBe(written);
  });

  it('is null for a publication that another one has replaced', async () => {
    await files.keepText('c', FIRST, '# the first');
    const again = { version: 1, publishedAt: 1_001 };
    expect(await files.textOf('c', again)).toBeNull();
    await files.keepText('c', again, '# the second');
    expect([await files.textOf('c', FIRST), await files.textOf('c', again)]).toEqual([null, '# the second']);
    await files.keepText('c', again, null);
    expect(await files.textOf('c', again)).toBeNull();
  });
});
