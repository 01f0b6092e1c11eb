import { USER_SERVICES } from '@laurel/ports';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import pg from 'pg';
import { PostgresAppliedPositions } from './postgres-applied-positions.ts';

let database: TestDatabase;
let pool: pg.Pool;
let queries = 0;

beforeAll(async () => {
  database = await openTestDatabase([
    {
      name: '0001-checkpoints',
      sql: USER_SERVICES.map(
        ({ schema }, place) => `
create schema ${schema};
create table ${schema}.area_versions (area text primary key, step text);
create table ${schema}.input_partitions (partition integer primary key, position bigint not null, sent jsonb not null, failure jsonb);
insert into ${schema}.input_partitions values (0, ${100 - 10 * place}, '{"0": ${place}}'), (3, ${9_000_000_000 + place}, '{"1": 7, "11": ${place}}');
`,
      ).join(''),
    },
  ]);
  pool = new pg.Pool({ ...database.connection, max: 2 });
});
afterAll(async () => {
  await pool.end();
  await database.close();
});

const open = () =>
  new PostgresAppliedPositions({
    query: async <R extends pg.QueryResultRow>(name: string, text: string, values: readonly unknown[]) => {
      queries++;
      return (await pool.query<R>({ name, text, values: [...values] })).rows;
    },
  });

describe('PostgresAppliedPositions', () => {
  it('reads the checkpoints in chain order, and what the last service sent to the boards', async () => {
    expect(await open().read(3)).toEqual({
      isHalted: false,
      positions: [9_000_000_000, 9_000_000_001, 9_000_000_002],
      sentToBoards: new Map([
        [1, 7],
        [11, 2],
      ]),
    });
  });

  it('reads the checkpoint of a step from its first schema', async () => {
    const [streaks, achievements] = USER_SERVICES.map(({ schema }) => schema);
    const stepFrom = (place: number) => USER_SERVICES.slice(place).flatMap(({ areas }) => areas);
    await pool.query(`insert into ${achievements}.area_versions values ('achievements', '${stepFrom(1).join(',')}')`);
    expect(await open().read(0)).toEqual({
      isHalted: false,
      positions: [100, 90, 90],
      sentToBoards: new Map([[0, 1]]),
    });
    await pool.query(`insert into ${streaks}.area_versions values ('users', '${stepFrom(0).join(',')}')`);
    expect(await open().read(0)).toEqual({
      isHalted: false,
      positions: [100, 100, 100],
      sentToBoards: new Map([[0, 0]]),
    });
    for (const schema of [streaks, achievements]) await pool.query(`delete from ${schema}.area_versions`);
  });

  it('reports that a service has halted in the partition', async () => {
    const last = USER_SERVICES.at(-1)?.schema;
    const { rowCount } = await pool.query(`update ${last}.input_partitions set failure = '{}' where partition = 3`);
    expect([rowCount, (await open().read(3)).isHalted, (await open().read(0)).isHalted]).toEqual([1, true, false]);
    await pool.query(`update ${last}.input_partitions set failure = null`);
  });

  it('returns 0 for a partition without checkpoints', async () => {
    expect(await open().read(2)).toEqual({ isHalted: false, positions: [0, 0, 0], sentToBoards: new Map() });
  });

  it('reads simultaneous requests with one query', async () => {
    const applied = open();
    queries = 0;
    const asked = [applied.read(0), applied.read(3), applied.read(0)];
    const found = await Promise.all(asked);
    expect(found.map(({ positions }) => positions[0])).toEqual([100, 9_000_000_000, 100]);
    expect(queries).toBe(1);
  });

  it('runs one query at a time, and requests during a query share the next one', async () => {
    let [running, most] = [0, 0];
    const started: number[][] = [];
    const applied = new PostgresAppliedPositions({
      query: async <R extends object>(_name: string, _text: string, [partitions]: readonly unknown[]) => {
        started.push(partitions as number[]);
        most = Math.max(most, ++running);
        await new Promise((resolve) => setImmediate(resolve));
        running--;
        return [] as R[];
      },
    });
    const first = applied.read(1);
    await new Promise((resolve) => process.nextTick(resolve));
    await Promise.all([first, applied.read(2), applied.read(3)]);
    expect([started, most]).toEqual([[[1], [2, 3]], 1]);
  });

  it('reads again after a failed query', async () => {
    const sql = { query: (): Promise<never> => Promise.reject(new Error('away')) };
    const applied = new PostgresAppliedPositions(sql);
    await expect(applied.read(0)).rejects.toThrow('away');
    await expect(applied.read(0)).rejects.toThrow('away');
    Object.assign(sql, {
      query: () => Promise.resolve([{ place: 0, partition: 0, position: '7', sent: {}, is_halted: false }]),
    });
    expect((await applied.read(0)).positions).toEqual([7, 0, 0]);
  });
});
