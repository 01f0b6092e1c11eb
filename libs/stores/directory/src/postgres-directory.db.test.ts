import type { SqlReader } from '@laurel/kernel';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { directoryMigrations, PostgresDirectory } from './index.ts';

let database: TestDatabase;
let statements = 0;
let counting: SqlReader;
beforeAll(async () => {
  database = await openTestDatabase(directoryMigrations);
  counting = {
    query: (sql, parameters) => {
      statements += 1;
      return database.sql.query(sql, parameters);
    },
  };
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.sql.query('truncate subjects', []);
  statements = 0;
});

describe('the directory', () => {
  it('assigns each user one subject, however many processes ask at once', async () => {
    const directories = [1, 2, 3].map(() => new PostgresDirectory(database.sql));
    const ids = Array.from({ length: 50 }, (_, index) => `user ${index % 10}`);
    const assigned = await Promise.all(
      directories.flatMap((directory) => ids.map((id) => directory.assign('default', id))),
    );
    expect(new Set(assigned).size).toBe(10);
    expect(assigned.slice(0, 50)).toEqual(assigned.slice(50, 100));
    expect(assigned.slice(0, 50)).toEqual(assigned.slice(100));
    for (const subject of assigned) {
      expect(Number.isInteger(subject) && subject > 0 && subject < 2 ** 52).toBe(true);
    }
  });

  it('assigns all users of one turn with one statement, and then remembers them', async () => {
    const directory = new PostgresDirectory(counting);
    const ids = Array.from({ length: 300 }, (_, index) => `user ${index}`);
    const assigned = await Promise.all(ids.map((id) => directory.assign('default', id)));
    expect(statements).toBe(1);
    expect([...(await directory.assignAll('default', ids)).values()]).toEqual(assigned);
    expect(await directory.find('default', 'user 7')).toBe(assigned[7]);
    expect(statements).toBe(1);
  });

  it('finds many users with one statement, and queries only those not in memory', async () => {
    const ids = Array.from({ length: 100 }, (_, index) => `user ${index}`);
    const assigned = await new PostgresDirectory(database.sql).assignAll('default', ids);
    await new PostgresDirectory(database.sql).assign('another', 'nobody');
    const directory = new PostgresDirectory(counting);
    expect(await directory.find('default', 'user 7')).toBe(assigned.get('user 7'));
    expect(await directory.findAll('default', [...ids, 'nobody', 'user 7'])).toEqual(assigned);
    expect(statements).toBe(2);
    expect(await directory.findAll('default', ids)).toEqual(assigned);
    expect(statements).toBe(2);
  });

  it('does not remember a user who is forgotten during a statement', async () => {
    const subject = await new PostgresDirectory(database.sql).assign('default', 'ada');
    let answer = () => undefined as void;
    const held = new Promise<void>((resolve) => (answer = resolve));
    const slow = {
      query: async <R extends object>(sql: string, parameters: readonly unknown[]) => {
        const rows = await database.sql.query<R>(sql, parameters);
        await held;
        return rows;
      },
    };
    const directory = new PostgresDirectory(slow);
    const asked = [
      directory.find('default', 'ada'),
      directory.assign('default', 'ada'),
      directory.idsInMemoryOf('default', [subject]),
      directory.dataKeys([{ account: 'default', subject }]),
    ];
    await database.sql.query('select pg_sleep(0.1)', []);
    directory.forget({ account: 'default', subject });
    answer();
    await Promise.all(asked);
    await database.sql.query('delete from subjects', []);
    expect(await directory.find('default', 'ada')).toBeNull();
    expect(await directory.idsInMemoryOf('default', [subject])).toEqual(new Map());
    expect(await directory.dataKeys([{ account: 'default', subject }])).toEqual(new Map());
    expect(await directory.assign('default', 'ada')).not.toBe(subject);
  });

  it('keeps ids in memory for callers that learn of every erasure, and drops forgotten users', async () => {
    const [ada, bob] = await Promise.all(
      ['ada', 'bob'].map((id) => new PostgresDirectory(database.sql).assign('default', id)),
    );
    if (ada === undefined || bob === undefined) throw new Error('nobody was assigned');
    const directory = new PostgresDirectory(database.sql);
    const inMemory = async () => [...(await directory.idsInMemoryOf('default', [ada, bob])).values()].sort();
    expect(await inMemory()).toEqual(['ada', 'bob']);
    await database.sql.query('delete from subjects', []);
    expect([await inMemory(), await directory.idsOf('default', [ada, bob])]).toEqual([['ada', 'bob'], new Map()]);
    expect(await directory.idsInMemoryOf('another', [ada])).toEqual(new Map());
    directory.forget({ account: 'default', subject: ada });
    expect(await inMemory()).toEqual(['bob']);
  });

  it('distinguishes accounts, and finds no one who was not assigned', async () => {
    const directory = new PostgresDirectory(database.sql);
    const [one, other] = [await directory.assign('a', 'ada'), await directory.assign('b', 'ada')];
    expect(one).not.toBe(other);
    expect(await new PostgresDirectory(database.sql).find('a', 'ada')).toBe(one);
    expect(await directory.find('c', 'ada')).toBeNull();
    expect(await directory.idsOf('a', [one, other, 5])).toEqual(new Map([[one, 'ada']]));
  });

  it('holds a data key of 32 bytes per user, and none once the row is deleted', async () => {
    const directory = new PostgresDirectory(database.sql);
    const users = [];
    for (const id of ['ada', 'bob']) users.push({ account: 'default', subject: await directory.assign('default', id) });
    await database.sql.query("delete from subjects where user_id = 'bob'", []);
    const keys = await directory.dataKeys(users);
    expect([...keys.values()].map((key) => key.length)).toEqual([32]);
  });

  it('rejects waiting callers while the store is unavailable, and assigns subjects afterwards', async () => {
    let reachable = false;
    const directory = new PostgresDirectory({
      query: (sql, parameters) =>
        reachable ? database.sql.query(sql, parameters) : Promise.reject(new Error('connect ECONNREFUSED')),
    });
    const asked = await Promise.allSettled(['a', 'b', 'a'].map((id) => directory.assign('default', id)));
    expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    reachable = true;
    expect(await directory.assign('default', 'a')).toBeGreaterThan(0);
  });

  it('pages through users in code point order of their ids', async () => {
    const directory = new PostgresDirectory(database.sql);
    await directory.assignAll('default', ['b', 'Ä', 'a', 'B']);
    const first = await directory.page('default', '', 2);
    const rest = await directory.page('default', first.at(-1)?.id ?? '', 10);
    expect([...first, ...rest].map(({ id }) => id)).toEqual(['B', 'a', 'b', 'Ä']);
  });

  it('pages through users by a prefix of their ids, whatever characters it contains', async () => {
    const directory = new PostgresDirectory(database.sql);
    const ids = ['a', 'a%', 'a%b', 'a%c', 'a_', 'ab', 'a\u{10ffff}', 'a\u{10ffff}!', 'b'];
    await directory.assignAll('default', ids);
    const page = async (after: string, limit: number, prefix: string) =>
      (await directory.page('default', after, limit, prefix)).map(({ id }) => id);
    expect(await page('', 10, 'a%')).toEqual(['a%', 'a%b', 'a%c']);
    expect(await page('a%', 1, 'a%')).toEqual(['a%b']);
    expect(await page('a%c', 10, 'a%')).toEqual([]);
    expect(await page('', 10, 'a\u{10ffff}')).toEqual(['a\u{10ffff}', 'a\u{10ffff}!']);
    expect(await page('a_', 10, 'a')).toEqual(['ab', 'a\u{10ffff}', 'a\u{10ffff}!']);
  });

  it('shares its memory with a reader that queries another connection', async () => {
    const directory = new PostgresDirectory(database.sql);
    const [ada, bob] = [await directory.assign('default', 'ada'), await directory.assign('default', 'bob')];
    await new PostgresDirectory(database.sql).assign('default', 'cyd');
    const asked: string[] = [];
    const other = directory.readBy({
      query: (sql, parameters) => {
        asked.push(String(parameters[1]));
        return database.sql.query(sql, parameters);
      },
    });
    expect(await other.findAll('default', ['ada', 'bob'])).toEqual(
      new Map([
        ['ada', ada],
        ['bob', bob],
      ]),
    );
    expect(asked).toEqual([]);
    const cyd = await other.find('default', 'cyd');
    expect(asked).toEqual(['cyd']);
    await database.sql.query("delete from subjects where user_id in ('ada', 'cyd')", []);
    expect(await directory.find('default', 'cyd')).toBe(cyd);
    directory.forget({ account: 'default', subject: ada });
    expect(await other.find('default', 'ada')).toBeNull();
    expect(await other.find('default', 'bob')).toBe(bob);
  });
});

describe('the hashes of attributes', () => {
  const attributes = new Map([
    ['plan', 'pro'],
    ['city', null],
  ]);

  it('are the same in all processes, however many make the first at once', async () => {
    const directories = [1, 2, 3].map(() => new PostgresDirectory(database.sql));
    const hashes = await Promise.all(directories.map((one) => one.attributeHashes('default', attributes)));
    expect(hashes[1]).toEqual(hashes[0]);
    expect(hashes[2]).toEqual(hashes[0]);
    expect(hashes[0]?.map(([, value]) => value)).toEqual([expect.stringMatching(/^[\w-]{20}$/), null]);
  });

  it('differ from account to account', async () => {
    const directory = new PostgresDirectory(database.sql);
    const one = await directory.attributeHashes('default', attributes);
    expect(await directory.attributeHashes('another', attributes)).not.toEqual(one);
  });

  it('read the secret once for each account, and again after a failure', async () => {
    let fails = true;
    const sql: SqlReader = {
      query: (text, parameters) =>
        fails ? Promise.reject(new Error('no database')) : counting.query(text, parameters),
    };
    const directory = new PostgresDirectory(sql);
    await expect(directory.attributeHashes('default', attributes)).rejects.toThrow('no database');
    fails = false;
    for (let time = 0; time < 3; time++) await directory.attributeHashes('default', attributes);
    expect(statements).toBe(1);
  });
});
