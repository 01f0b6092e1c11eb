import type { Subject } from '@laurel/contracts';
import { exactOf } from '@laurel/amounts';
import { projectionMigrations } from '@laurel/projections';
import { openTestDatabase, type TestDatabase, subjectOf } from '@laurel/testing';
import fc from 'fast-check';
import {
  ACCOUNT,
  at,
  configuration,
  every,
  historyOf,
  HOUR,
  level,
  live,
  onMetric,
  pointsSystem,
} from './points.fixture.ts';
import { PointsQueries } from './points-queries.ts';
import { pointsArea } from './points-area.ts';
import { pointsRules } from './rules/points.ts';

/** A legal key of a points system, and a legal user id. */
const PROTO = '__proto__';
const OTHER = pointsSystem('constructor', [], { levels: [level('any', 0)] });

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(projectionMigrations);
});
afterAll(() => database.close());
beforeEach(() => clear());

const clear = () => database.sql.query('truncate user_states', []);

/** As the engine stores a user; `points` null: the area has not seen them. */
const store = (account: string, subject: Subject, points: unknown) =>
  database.sql.query('insert into user_states (account, subject, points) values ($1, $2, $3)', [
    account,
    subject,
    points === null ? null : JSON.stringify(points),
  ]);

/** A user's state with these totals, in other systems too. */
function stateWith(totals: Readonly<Record<string, bigint>>) {
  const plan = pointsRules.compile(configuration(Object.keys(totals).map((key) => pointsSystem(key, []))));
  const systems = Object.values(totals).map((total) => ({ total: exactOf(total), settledTo: 0, otherSums: [] }));
  return pointsRules.encode({ ...pointsRules.initial(plan), createdAt: 0, position: 1, systems }, plan);
}

/** Users of the account with these totals in the system `__proto__`. */
async function given(totals: readonly bigint[]): Promise<void> {
  await Promise.all(
    totals.map((total, index) =>
      store(ACCOUNT, subjectOf(`user ${index}`), stateWith({ ['constructor']: 7n, [PROTO]: total })),
    ),
  );
}

const queries = (levels = [level('novice', 1), level('adept', 100)]) => {
  const under = configuration([pointsSystem(PROTO, [], { levels }), OTHER]);
  return new PointsQueries(database.sql, { read: () => Promise.resolve(null) }, () => historyOf(under));
};

const byLevel = async (...levels: Parameters<typeof queries>) =>
  (await queries(...levels).usersByLevel(ACCOUNT, PROTO)).map((row) => [row.level.key, row.users]);

const byRange = async () =>
  (await queries().usersByRange(ACCOUNT, PROTO)).map(({ from, to, users }) => [from, to, users]);

/** Only the ranges with users. */
const taken = async () => (await byRange()).filter(([, , users]) => users !== 0);

describe('users by level', () => {
  it('are counted at the highest level that their total reaches, and at none below all', async () => {
    await given([0n, 1n, 99n, 100n, 10n ** 30n]);
    expect(await byLevel()).toEqual([
      ['novice', 2],
      ['adept', 2],
    ]);
  });

  it('are at a level of 0 points if nothing is recorded of them in the system', async () => {
    await given([5n]);
    await store(ACCOUNT, subjectOf(PROTO), stateWith({ constructor: 50n }));
    await store(ACCOUNT, subjectOf('behind'), null);
    expect(await byLevel([level('all', 0), level('some', 5)])).toEqual([
      ['all', 2],
      ['some', 1],
    ]);
  });

  it('are those of the account', async () => {
    await given([1n]);
    await store('another', subjectOf('user 0'), stateWith({ [PROTO]: 1n }));
    expect(await byLevel()).toEqual([
      ['novice', 1],
      ['adept', 0],
    ]);
  });

  it('are 0 at every level of an account without users', async () => {
    expect(await byLevel()).toEqual([
      ['novice', 0],
      ['adept', 0],
    ]);
  });

  it('are counted by what is recorded: a due time award once a sweep has given it', async () => {
    const START = at('2024-03-01T12:00:00Z');
    const under = configuration([
      pointsSystem('energy', [onMetric('commits', 1, 1), every(4, 'hour', 1)], { levels: [level('two', 2)] }),
    ]);
    const commit = { at: START, metric: ['commits', 1] } as const;
    const sweep = { at: START + 5 * HOUR, swept: true };
    const reads = new PointsQueries(database.sql, { read: () => Promise.resolve(null) }, () => historyOf(under));
    await store(ACCOUNT, subjectOf('ada'), pointsArea.encode(live(under, [commit]).state));
    expect((await reads.usersByLevel(ACCOUNT, 'energy'))[0]?.users).toBe(0);
    await clear();
    await store(ACCOUNT, subjectOf('ada'), pointsArea.encode(live(under, [commit, sweep]).state));
    expect((await reads.usersByLevel(ACCOUNT, 'energy'))[0]?.users).toBe(1);
  });
});

describe('users by range', () => {
  it('are 0–0 and ten equal ranges up to the highest total, rounded up to a power of ten', async () => {
    await given([0n, 1n, 100n, 101n, 155n]);
    expect(await byRange()).toEqual([
      [0n, 0n, 1],
      [1n, 100n, 2],
      [101n, 200n, 2],
      ...[3n, 4n, 5n, 6n, 7n, 8n, 9n, 10n].map((place) => [place * 100n - 99n, place * 100n, 0]),
    ]);
  });

  it('end with the highest total if it is a power of ten', async () => {
    await given([10n]);
    expect(await taken()).toEqual([[10n, 10n, 1]]);
    await clear();
    await given([1_000n]);
    expect(await taken()).toEqual([[901n, 1_000n, 1]]);
    await clear();
    await given([1_001n]);
    expect(await taken()).toEqual([[1_001n, 2_000n, 1]]);
  });

  it('count who has nothing in the system as 0, and nobody of another account', async () => {
    await store(ACCOUNT, subjectOf(PROTO), stateWith({ constructor: 50n }));
    await store(ACCOUNT, subjectOf('behind'), null);
    await store('another', subjectOf('user 0'), stateWith({ [PROTO]: 500n }));
    expect(await taken()).toEqual([[0n, 0n, 2]]);
    expect((await byRange()).at(-1)).toEqual([10n, 10n, 0]);
  });

  it('are all there without users', async () => {
    const ranges = await byRange();
    expect(ranges).toHaveLength(11);
    expect(ranges.at(-1)).toEqual([10n, 10n, 0]);
  });

  it('are exact at any size', async () => {
    await given([2n ** 53n + 1n, 10n ** 40n + 1n]);
    expect(await taken()).toEqual([
      [1n, 10n ** 40n, 1],
      [10n ** 40n + 1n, 2n * 10n ** 40n, 1],
    ]);
  });

  it('count a large total that is a little below a bound below it', async () => {
    await given([49_999_999_999_999_999_501n]);
    expect(await taken()).toEqual([[40_000_000_000_000_000_001n, 50_000_000_000_000_000_000n, 1]]);
  });

  it('hold every user once, each within its bounds, for any totals', async () => {
    const totals = fc.array(fc.oneof(fc.bigInt({ min: 0n, max: 40n }), fc.bigInt({ min: 0n, max: 10n ** 20n })), {
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(totals, async (all) => {
        await clear();
        await given(all);
        for (const { from, to, users } of await queries().usersByRange(ACCOUNT, PROTO))
          expect({ from, to, users }).toEqual({
            from,
            to,
            users: all.filter((total) => from <= total && total <= to).length,
          });
      }),
      { numRuns: 60 },
    );
  });
});
