import type { Migration, Subject } from '@laurel/kernel';
import { subjectOf } from '@laurel/testing/subjects';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import pg from 'pg';
import { START, type PartitionCheckpoint } from './checkpoint.ts';
import { chainServiceMigrations } from './migrations.ts';
import type { PartitionCommit } from './partition-store.ts';
import type { ProjectionChanges } from './projection.ts';
import { PostgresPartitionStore, type PreparedStatements } from './postgres-partition-store.ts';

const TABLES = [
  {
    name: 'totals',
    onConflict: 'on conflict (account, partition) do update set n = totals.n + excluded.n',
  },
  { name: 'notes', onConflict: '' },
];
const STORED = { name: null, columns: ['users', 'streaks'], tables: TABLES };
const tables: Migration = {
  name: '0900-tables',
  sql: `create table totals (account text, partition integer, n integer, primary key (account, partition));
        create table notes (account text, text text)`,
};

let database: TestDatabase;
let pool: pg.Pool;
let statements: PreparedStatements;
let store: PostgresPartitionStore;

beforeAll(async () => {
  database = await openTestDatabase([...chainServiceMigrations(['users', 'streaks']), tables]);
  pool = new pg.Pool({ ...database.connection, max: 8 });
  statements = {
    query: async <R extends pg.QueryResultRow>(name: string, text: string, values: readonly unknown[]) =>
      (await pool.query<R>({ name, text, values: [...values] })).rows,
  };
  store = new PostgresPartitionStore(statements, [STORED]);
});
afterAll(async () => {
  await pool.end();
  await database.close();
});
beforeEach(() => database.sql.query('truncate input_partitions, user_states, totals, notes', []));

const at = (nextOffset: number, more: Partial<PartitionCheckpoint> = {}): PartitionCheckpoint => ({
  ...START,
  nextOffset,
  position: nextOffset,
  revision: `revision of ${nextOffset}`,
  received: new Map([[0, nextOffset]]),
  sent: new Map([[3, nextOffset]]),
  ...more,
});

const commitOf = (
  before: PartitionCheckpoint,
  after: PartitionCheckpoint,
  {
    partition = 1,
    states = [],
    rows = new Map(),
  }: Partial<ProjectionChanges & Pick<PartitionCommit, 'partition'>> = {},
): PartitionCommit => ({ partition, before, after, changes: [{ states, rows }] });

const rowsOf = (table: string) => database.sql.query(`select * from ${table} order by 1, 2`, []);

describe('a checkpoint', () => {
  it('is at the start if nothing was committed', async () => {
    expect(await store.read(1)).toEqual(START);
  });

  it('is read as it was committed', async () => {
    const after = at(7, {
      position: 4_000_000_000,
      received: new Map([
        [0, 7],
        [11, 9_000_000_000],
      ]),
      failure: { offset: 8, reason: 'it’s "broken"' },
    });
    await store.commit(commitOf(START, after));
    expect(await store.read(1)).toEqual(after);
    expect(await store.read(2)).toEqual(START);
    expect(await store.readPlaces()).toEqual(new Map([[1, { nextOffset: 7, generation: 0 }]]));
  });

  it('advances only from its present value', async () => {
    await store.commit(commitOf(START, at(3)));
    await store.commit(commitOf(at(3), at(5)));
    await expect(store.commit(commitOf(at(3), at(4)))).rejects.toThrow('moved on by another process');
    await expect(store.commit(commitOf(START, at(1)))).rejects.toThrow('moved on by another process');
    expect(await store.read(1)).toEqual(at(5));
  });

  it.each([
    ['another generation', { generation: 1 }],
    ['another commit that came to the same offset', { revision: 'another' }],
    ['a release before revisions', { revision: '' }],
  ])('is not mistaken for one of %s', async (_what, more) => {
    await store.commit(commitOf(START, at(5)));
    await expect(store.commit(commitOf(at(5, more), at(6)))).rejects.toThrow('moved on by another process');
    expect(await store.read(1)).toEqual(at(5));
  });

  it('cannot be advanced if its row is gone', async () => {
    await expect(store.commit(commitOf(at(5), at(6)))).rejects.toThrow('moved on by another process');
    await expect(store.commit(commitOf(at(0, { generation: 2 }), at(6)))).rejects.toThrow('moved on');
    expect(await rowsOf('input_partitions')).toEqual([]);
  });

  it('keeps the generation that a rebuild gave it', async () => {
    await store.commit(commitOf(START, at(5)));
    await database.sql.query('update input_partitions set generation = 4', []);
    await store.commit(commitOf(at(5, { generation: 4 }), at(6, { generation: 4 })));
    expect(await store.read(1)).toEqual(at(6, { generation: 4 }));
  });

  it('advances from one that a release without revisions left', async () => {
    await store.commit(commitOf(START, at(5)));
    await database.sql.query(`update input_partitions set revision = ''`, []);
    expect(await store.read(1)).toEqual(at(5, { revision: '' }));
    await store.commit(commitOf(at(5, { revision: '' }), at(6)));
    expect(await store.read(1)).toEqual(at(6));
  });

  it('keeps the sequence numbers of partitions that a commit does not mention', async () => {
    const sequences = (changed: number) =>
      new Map([[0, 4] as const, [7, changed] as const, [11, 9_000_000_000] as const]);
    const all = (nextOffset: number) =>
      at(nextOffset, { received: sequences(nextOffset), sent: sequences(nextOffset) });
    await store.commit(commitOf(START, all(5)));
    await store.commit(commitOf(all(5), all(6)));
    expect(await store.read(1)).toEqual(all(6));
  });

  it('with a thousand sources takes 20 kB in a commit of sixteen partitions', async () => {
    const sizes: number[] = [];
    const measured = new PostgresPartitionStore(
      {
        query: (name, text, values) => {
          sizes.push(values.reduce<number>((sum, value) => sum + Buffer.byteLength(String(value)), 0));
          return statements.query(`measured-${name}`, text, values);
        },
      },
      [],
    );
    const received = (extra: number) =>
      new Map(Array.from({ length: 1_000 }, (_, source) => [source, 1_000_000 + (source % 111 === 0 ? extra : 0)]));
    const [before, after] = [at(5, { received: received(0) }), at(14, { received: received(1) })];
    const each = (from: PartitionCheckpoint, to: PartitionCheckpoint) =>
      Promise.all(Array.from({ length: 16 }, (_, partition) => measured.commit({ ...commitOf(from, to), partition })));
    await each(START, before);
    sizes.length = 0;
    await each(before, after);
    expect(sizes).toHaveLength(1);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(20_000);
    expect(await store.read(15)).toEqual(after);
  });

  it('is advanced by only one of many concurrent commits, whose rows alone are stored', async () => {
    for (const [before, after] of [
      [START, at(5)],
      [at(5), at(9)],
    ] as const) {
      const attempts = Array.from({ length: 8 }, (_, n) =>
        store.commit(
          commitOf(before, after, { rows: new Map([['notes', [{ account: 'a', text: `${after.nextOffset}/${n}` }]]]) }),
        ),
      );
      const outcomes = await Promise.allSettled(attempts);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    }
    expect(await rowsOf('notes')).toHaveLength(2);
  });
});

describe('a commit', () => {
  const ann = { account: 'a', subject: subjectOf('__proto__') };
  const state = (n: number) => ({ ...ann, columns: JSON.stringify({ users: { n }, streaks: null }), dueAt: n });

  it('writes states and rows together with the checkpoint', async () => {
    await store.commit(
      commitOf(START, at(1), {
        states: [state(1_000)],
        rows: new Map([['totals', [{ account: 'a', partition: 1, n: 2 }]]]),
      }),
    );
    await store.commit(
      commitOf(at(1), at(2), {
        states: [{ ...state(2_000), dueAt: null }],
        rows: new Map([['totals', [{ account: 'a', partition: 1, n: 3 }]]]),
      }),
    );
    expect(await rowsOf('totals')).toEqual([{ account: 'a', partition: 1, n: 5 }]);
    expect(await rowsOf('user_states')).toEqual([
      { account: 'a', subject: String(ann.subject), partition: 1, users: { n: 2_000 }, streaks: null, due_at: null },
    ]);
  });

  it('writes nothing if it comes too late', async () => {
    await store.commit(commitOf(START, at(1)));
    const late = commitOf(START, at(1), {
      states: [state(1)],
      rows: new Map([['notes', [{ account: 'a', text: 'late' }]]]),
    });
    await expect(store.commit(late)).rejects.toThrow('moved on by another process');
    for (const table of ['user_states', 'notes']) expect(await rowsOf(table)).toEqual([]);
  });

  it('writes nothing if the database refuses one row', async () => {
    const bad = commitOf(START, at(1), { states: [state(1)], rows: new Map([['totals', [{ account: 'a', n: 'x' }]]]) });
    await expect(store.commit(bad)).rejects.toThrow('invalid input syntax');
    for (const table of ['user_states', 'input_partitions']) expect(await rowsOf(table)).toEqual([]);
  });

  it('keeps the states of users apart, and only stored states are found', async () => {
    const others = [
      { account: 'a', subject: subjectOf('b') },
      { account: 'b', subject: subjectOf('b') },
    ];
    const states = others.map((user, n) => ({
      ...user,
      columns: JSON.stringify({ users: { n }, streaks: { n } }),
      dueAt: null,
    }));
    await store.commit(commitOf(START, at(1), { states }));
    const found = await store.readStates(1, [...others, ann], at(1));
    expect([...found.values()].map(({ users }) => users)).toEqual([{ n: 0 }, { n: 1 }]);
    expect(found.size).toBe(2);
  });
});

describe('commits of several partitions in one turn', () => {
  const user = (subject: Subject) => ({ account: 'a', subject, columns: '{"users":{},"streaks":null}', dueAt: null });
  const ofPartition = (
    partition: number,
    before: PartitionCheckpoint,
    more: Partial<ProjectionChanges> = {},
  ): PartitionCommit =>
    commitOf(before, at(before.nextOffset + 1), {
      partition,
      states: [user(partition)],
      rows: new Map([['totals', [{ account: 'a', partition, n: 1 }]]]),
      ...more,
    });

  it('are sent as one statement, each with its own states and rows', async () => {
    let sent = 0;
    const counted = new PostgresPartitionStore(
      { query: (name, text, values) => (sent++, statements.query(`counted-${name}`, text, values)) },
      [STORED],
    );
    await store.commit(ofPartition(2, START));
    await Promise.all([1, 2, 3].map((n) => counted.commit(ofPartition(n, n === 2 ? at(1) : START))));
    expect(sent).toBe(1);
    expect(await rowsOf('totals')).toEqual([1, 2, 3].map((n) => ({ account: 'a', partition: n, n: n === 2 ? 2 : 1 })));
    const states = await rowsOf('user_states');
    expect(states).toMatchObject([1, 2, 3].map((n) => ({ subject: String(n), partition: n })));
    expect([await store.read(1), await store.read(2)]).toEqual([at(1), at(2)]);
  });

  it('wait for a locked partition without locking the others, and see its new checkpoint', async () => {
    for (const n of [2, 1]) await store.commit(ofPartition(n, START));
    const holder = await pool.connect();
    try {
      await holder.query('begin');
      await holder.query('update input_partitions set generation = 1 where partition = 1');
      const commits = Promise.allSettled([2, 1].map((n) => store.commit(ofPartition(n, at(1)))));
      const waiting = () =>
        database.sql.query(
          `select from pg_stat_activity
           where wait_event_type = 'Lock' and query like '%wanted%' and datname = current_database()`,
          [],
        );
      while ((await waiting()).length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
      await holder.query('select from input_partitions where partition = 2 for update nowait');
      await holder.query('commit');
      expect((await commits).map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    } finally {
      holder.release();
    }
    expect([await store.read(1), await store.read(2)]).toEqual([at(1, { generation: 1 }), at(2)]);
  });

  it('succeed even if one of them comes too late or is refused', async () => {
    await store.commit(ofPartition(2, START));
    const bad = new Map([['totals', [{ account: 'a', partition: 4, n: 'x' }]]]);
    const outcomes = await Promise.allSettled([
      store.commit(ofPartition(1, START)),
      store.commit(ofPartition(2, START)),
      store.commit(ofPartition(3, at(7))),
      store.commit(ofPartition(4, START, { rows: bad })),
    ]);
    expect(outcomes.map((outcome) => (outcome.status === 'rejected' ? String(outcome.reason) : 'moved'))).toEqual([
      'moved',
      expect.stringContaining('partition 2 was moved on'),
      expect.stringContaining('partition 3 was moved on'),
      expect.stringContaining('invalid input syntax'),
    ]);
    expect(await rowsOf('totals')).toEqual([1, 2].map((partition) => ({ account: 'a', partition, n: 1 })));
    expect(await rowsOf('user_states')).toHaveLength(2);
  });
});

describe('the states of a partition', () => {
  const ann = { account: 'a', subject: subjectOf('ann') };
  const states = [{ ...ann, columns: '{"users":{"n":1},"streaks":null}', dueAt: null }];

  it('can be read before anything is committed to it', async () => {
    expect(await store.readStates(1, [ann], START)).toEqual(new Map());
    await store.commit(commitOf(START, at(1), { states }));
    expect((await store.readStates(2, [ann], START)).size).toBe(1);
  });

  it.each([
    ['has advanced', at(1)],
    ['has another generation', at(2, { generation: 1 })],
    ['reached the same offset by another commit', at(2, { revision: 'another' })],
    ['is no longer at the start', START],
  ])('cannot be read with a checkpoint if the partition %s', async (_what, before) => {
    await store.commit(commitOf(START, at(2), { states }));
    expect((await store.readStates(1, [ann], at(2))).size).toBe(1);
    await expect(store.readStates(1, [ann], before)).rejects.toThrow('moved on by another process');
    await expect(store.readStates(1, [], before)).rejects.toThrow('moved on by another process');
  });
});

describe('a service without user states', () => {
  it('commits its rows alone', async () => {
    const boards = new PostgresPartitionStore(
      { query: (name, text, values) => statements.query(`boards-${name}`, text, values) },
      [{ ...STORED, columns: [] }],
    );
    await boards.commit(commitOf(START, at(1), { rows: new Map([['notes', [{ account: 'a', text: 'x' }]]]) }));
    expect(await rowsOf('notes')).toEqual([{ account: 'a', text: 'x' }]);
    expect(await boards.read(1)).toEqual(at(1));
  });
});
