import type { PreparedStatements } from '@laurel/engine';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { PostgresProcessedOffsets } from './postgres-processed-offsets.ts';

const SCHEMAS = ['laurel_streak', 'laurel_achievement', 'laurel_points'];

let database: TestDatabase;
beforeAll(async () => {
  const sql = SCHEMAS.map(
    (schema) =>
      `create schema ${schema}; create table ${schema}.input_partitions (partition int primary key, next_offset bigint not null)`,
  ).join(';');
  database = await openTestDatabase([{ name: '0001-checkpoints', sql }]);
});
afterAll(() => database.close());
beforeEach(async () => {
  for (const schema of SCHEMAS) await database.sql.query(`truncate ${schema}.input_partitions`, []);
});

const put = async (partition: number, ...offsets: readonly number[]) => {
  for (const [place, offset] of offsets.entries())
    await database.sql.query(
      `insert into ${SCHEMAS[place]}.input_partitions values ($1, $2)
       on conflict (partition) do update set next_offset = excluded.next_offset`,
      [partition, offset],
    );
};

const counting = () => {
  let queries = 0;
  const sql: PreparedStatements = { query: (_name, text, values) => (queries++, database.sql.query(text, values)) };
  return { trails: new PostgresProcessedOffsets(sql), queries: () => queries };
};

it('offsets are applied when every service has passed its offset in the partition', async () => {
  await put(3, 5, 6, 9_007_199_254_740_991);
  await put(4, 1, 1, 1);
  const { trails: offsets } = counting();
  const asked = [
    [4, 5, 6],
    [5, 5, 6],
    [4, 6, 6],
    [4, 5, 9_007_199_254_740_991],
    [4, 5],
    [0, 0, 0, 0],
  ];
  expect(await offsets.areApplied(3, asked)).toEqual([true, false, false, false, true, false]);
  expect(
    await offsets.areApplied(4, [
      [0, 0, 0],
      [4, 5, 6],
    ]),
  ).toEqual([true, false]);
});

it('offsets are not applied in a partition without commits of every service', async () => {
  await put(3, 5);
  const { trails: offsets } = counting();
  expect(await offsets.areApplied(3, [[0], [0, 0, 0]])).toEqual([true, false]);
  expect(await offsets.areApplied(7, [[0]])).toEqual([false]);
});

it('simultaneous requests and those during a query share one query', async () => {
  for (let partition = 0; partition < 10; partition++) await put(partition, partition, 100, 100);
  const { trails: offsets, queries } = counting();
  const asked = [...Array(10).keys()].map((partition) => offsets.areApplied(partition, [[4, 4, 4]]));
  expect((await Promise.all(asked)).flat()).toEqual([...Array(10).keys()].map((partition) => partition > 4));
  expect(queries()).toBe(1);
  const first = offsets.areApplied(0, [[0]]);
  await Promise.resolve();
  const later = [...Array(5).keys()].map((partition) => offsets.areApplied(partition, [[0]]));
  await Promise.all([first, ...later]);
  expect(queries()).toBe(3);
});

it('a failed query is reported to its own callers but not to the next', async () => {
  await put(3, 5, 5, 5);
  let fails = true;
  const offsets = new PostgresProcessedOffsets({
    query: (_name, text, values) =>
      fails ? Promise.reject(new Error('no database')) : database.sql.query(text, values),
  });
  await expect(offsets.areApplied(3, [[0]])).rejects.toThrow('no database');
  fails = false;
  expect(await offsets.areApplied(3, [[0]])).toEqual([true]);
});
