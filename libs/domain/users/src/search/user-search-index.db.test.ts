import { ManualClock } from '@laurel/testing/clock';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import pg from 'pg';
import { UserSearchIndex } from './user-search-index.ts';
import { searchUsers } from './user-search.ts';

const STATES = {
  name: '0001-states',
  sql: `create table user_states (
    account text collate "C" not null, subject bigint not null, users jsonb not null, primary key (account, subject)
  );
  insert into user_states select 'default', n, jsonb_build_object('name', 'User ' || n) from generate_series(1, 501) n`,
};

const WRITES = 'lock table user_states in row exclusive mode';

let database: TestDatabase;
let clock: ManualClock;
let index: UserSearchIndex;
let reports: [users: number, isBuilt: boolean][];
let failures: unknown[];
beforeEach(async () => {
  database = await openTestDatabase([STATES]);
  clock = new ManualClock();
  [reports, failures] = [[], []];
  index = new UserSearchIndex(database.sql, clock, {
    onProgress: (...report) => void reports.push(report),
    onFailure: (error) => void failures.push(error),
  });
});
afterEach(async () => {
  await index.close();
  await database.close();
});

/** Does `work` while another session writes users. */
async function whileWriting(work: () => Promise<void>): Promise<void> {
  const writer = new pg.Client(database.url);
  await writer.connect();
  try {
    await writer.query(`begin; ${WRITES}`);
    await work();
  } finally {
    await writer.end();
  }
}

const entered = async () =>
  (await database.sql.query<{ n: number }>('select count(distinct subject)::int as n from user_search', []))[0]?.n;

it('a built search index takes no further locks and is reported once', async () => {
  await index.turn(true);
  expect(await entered()).toBe(501);
  await whileWriting(async () => {
    for (let look = 0; look < 3; look++) await index.turn(true);
  });
  expect(reports).toEqual([[501, true]]);
});

it('building the search index lets writers proceed, and resumes after them', async () => {
  await index.turn(true);
  await database.sql.query(
    "update user_search_progress set account = '', subject = 0, users = 0, is_built = false",
    [],
  );
  await database.sql.query('delete from user_search', []);
  await whileWriting(() => expect(index.turn(true)).rejects.toThrow('lock timeout'));
  expect(await entered()).toBe(0);
  await index.turn(true);
  expect(await entered()).toBe(501);
});

it('an index of an earlier release is rebuilt, and searches report that it is being built', async () => {
  const search = () =>
    searchUsers(database.sql, 'default', { kind: 'name', text: 'ÚSER 77' }, { after: null, limit: 10 });
  const found = { state: 'ready', found: [{ term: 'user 77', subject: 77 }] };
  await index.turn(true);
  expect(await search()).toEqual(found);
  // The first form had no comment.
  await database.sql.query('comment on table user_search_progress is null', []);
  await database.sql.query("update user_search set term = 'of another form' where term = 'user 77'", []);
  expect(await search()).toEqual({ state: 'building', users: 0 });
  await index.turn(true);
  expect([await search(), await entered()]).toEqual([found, 501]);
  expect(reports).toEqual([
    [501, true],
    [501, true],
  ]);
});

it('an index that another process has built is dropped again if this one has search switched off', async () => {
  const isPresent = async () =>
    (await database.sql.query<{ n: unknown }>("select to_regclass('user_search') as n", []))[0]?.n !== null;
  const looked = async () => {
    while (clock.timers === 0) await new Promise((resolve) => setImmediate(resolve));
  };
  const other = new UserSearchIndex(database.sql, clock, { onProgress: () => undefined, onFailure: () => undefined });
  index.start(false);
  await looked();
  await other.turn(true);
  expect(await isPresent()).toBe(true);
  await clock.advance(5_000);
  await looked();
  expect([await isPresent(), failures]).toEqual([false, []]);
});
