import { StoreUnavailableError, type SqlReader } from '@laurel/kernel';
import { TOPICS } from '@laurel/ports';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { VirtualClock, settled } from '@laurel/testing/clock';
import { OwnerDirectory, PartitionOwners, partitionOwnersMigrations } from './index.ts';

const SCHEMAS = ['laurel_query', 'laurel_leaderboard', 'laurel_ingestion'];

let database: TestDatabase;
/** As the processes see it: each service's tables in its own schema. */
const inSchema = (schema: string): SqlReader => ({
  query: (sql, parameters) =>
    database.sql.query(sql.replaceAll(/\bpartition_owners\b(?!\.)/g, `${schema}.partition_owners`), parameters),
});

beforeAll(async () => {
  const migrations = SCHEMAS.flatMap((schema, place) => [
    { name: `000${2 * place}-${schema}`, sql: `create schema ${schema}; set search_path = ${schema}` },
    ...partitionOwnersMigrations.map(({ sql }) => ({
      name: `000${2 * place + 1}-owners`,
      sql: `set search_path = ${schema}; ${sql}; set search_path = public`,
    })),
  ]);
  database = await openTestDatabase(migrations);
});
afterAll(() => database.close());
beforeEach(() =>
  database.sql.query(`truncate ${SCHEMAS.map((schema) => `${schema}.partition_owners`).join(', ')}`, []),
);

const ownersOf = (schema: string, topic: string) => new PartitionOwners(inSchema(schema), topic);
const effects = () => ownersOf('laurel_query', TOPICS.effects);
const points = () => ownersOf('laurel_leaderboard', TOPICS.points);

describe('a claim of partitions', () => {
  it('raises the epoch of each partition, whether it had an owner or not', async () => {
    expect(await effects().claim([0, 1, 1], 'a:1')).toEqual(
      new Map([
        [0, 1n],
        [1, 1n],
      ]),
    );
    expect(await effects().claim([1, 2], 'b:1')).toEqual(
      new Map([
        [1, 2n],
        [2, 1n],
      ]),
    );
    expect(await effects().claim([1], 'b:1')).toEqual(new Map([[1, 3n]]));
    expect(await effects().claim([], 'c:1')).toEqual(new Map());
  });

  it('leaves one owner per partition when many instances claim many at once', async () => {
    const partitions = [...Array(24).keys()];
    await Promise.all(
      partitions.map((n) => effects().claim(n % 2 ? partitions : partitions.toReversed(), `host:${n + 1}`)),
    );
    const [row] = await database.sql.query<{ owners: string; lowest: string; highest: string }>(
      `select count(*) as owners, min(epoch) as lowest, max(epoch) as highest from laurel_query.partition_owners`,
      [],
    );
    expect(row).toEqual({ owners: '24', lowest: '24', highest: '24' });
  });
});

describe('the directory of owners', () => {
  function setUp() {
    const clock = new VirtualClock();
    let reads = 0;
    const state = { isReachable: true };
    const sql: SqlReader = {
      query: (text, parameters) => {
        reads++;
        return state.isReachable
          ? database.sql.query(text, parameters)
          : Promise.reject(new StoreUnavailableError('no database'));
      },
    };
    return { clock, state, directory: new OwnerDirectory(sql, clock), reads: () => reads };
  }

  it('reads the owners of each topic from the schema of its service', async () => {
    await effects().claim([0], 'a:1');
    await points().claim([0, 1], 'b:1');
    await ownersOf('laurel_leaderboard', 'another topic').claim([0, 2], 'c:1');
    const { directory } = setUp();
    const owners = [0, 1, 2].map((partition) => directory.ownerOf(TOPICS.points, partition));
    expect(await Promise.all(owners)).toEqual(['b:1', 'b:1', null]);
    expect(await directory.ownerOf(TOPICS.effects, 0)).toBe('a:1');
    expect(await directory.addressesOf(TOPICS.points)).toEqual(['b:1']);
    await ownersOf('laurel_ingestion', TOPICS.log).claim([0], 'd:1');
    expect(await directory.ownerOf(TOPICS.log, 0)).toBe('d:1');
    await expect(directory.ownerOf(TOPICS.streaks, 0)).rejects.toThrow('laurel.2.streaks');
  });

  it('reads at most once a second and answers from memory in between', async () => {
    await effects().claim([0], 'a:1');
    const { directory, clock, reads } = setUp();
    const ask = () => directory.ownerOf(TOPICS.effects, 0);
    await Promise.all([ask(), ask(), ask()]);
    expect(reads()).toBe(1);
    await effects().claim([0], 'b:1');
    await clock.advance(999);
    expect(await ask()).toBe('a:1');
    expect(reads()).toBe(1);
    await clock.advance(1);
    expect(await ask()).toBe('a:1');
    expect(reads()).toBe(2);
    while ((await ask()) === 'a:1') await settled();
    expect(await ask()).toBe('b:1');
    expect(reads()).toBe(2);
  });

  it('reads at once, once for all, when a call has failed', async () => {
    await effects().claim([0], 'a:1');
    const { directory, reads } = setUp();
    await directory.ownerOf(TOPICS.effects, 0);
    await effects().claim([0], 'b:1');
    await Promise.all([directory.renew(TOPICS.effects), directory.renew(TOPICS.effects)]);
    expect(await directory.ownerOf(TOPICS.effects, 0)).toBe('b:1');
    expect(reads()).toBe(2);
  });

  it('keeps its knowledge while the database is unreachable, and fails before the first read', async () => {
    await effects().claim([0], 'a:1');
    const { directory, clock, state } = setUp();
    state.isReachable = false;
    await expect(directory.ownerOf(TOPICS.effects, 0)).rejects.toBeInstanceOf(StoreUnavailableError);
    state.isReachable = true;
    expect(await directory.ownerOf(TOPICS.effects, 0)).toBe('a:1');
    state.isReachable = false;
    await clock.advance(5_000);
    expect(await directory.ownerOf(TOPICS.effects, 0)).toBe('a:1');
    await expect(directory.renew(TOPICS.effects)).rejects.toBeInstanceOf(StoreUnavailableError);
  });
});
