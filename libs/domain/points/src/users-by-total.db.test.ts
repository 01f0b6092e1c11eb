import type { Configuration, PointsAward, SqlReader, Subject } from '@laurel/kernel';
import { exactOf } from '@laurel/amounts';
import { AreaRows, projectionMigrations } from '@laurel/engine';
import { subjectOf } from '@laurel/testing/subjects';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import fc from 'fast-check';
import {
  ACCOUNT,
  at,
  awardsOf,
  configuration,
  every,
  historyOf,
  HOUR,
  level,
  live,
  onMetric,
  pointsSystem,
  type StoryEvent,
} from './points.fixture.ts';
import { pointsMigrations } from './migrations.ts';
import { PointsQueries } from './points-queries.ts';
import { pointsArea } from './points-area.ts';
import { pointsRules } from './rules/points.ts';
import { POINT_TOTAL_COUNTS, totalRows } from './total-counts.ts';

/** A legal key of a points system, and a legal user id. */
const PROTO = '__proto__';
const OTHER = pointsSystem('constructor', [], { levels: [level('any', 0)] });

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase([...projectionMigrations, ...pointsMigrations]);
});
afterAll(() => database.close());
beforeEach(() => clear());

/** How many are stored, by account. */
const known = new Map<string, number>();

async function clear(): Promise<void> {
  known.clear();
  await database.sql.query('with users as (delete from user_states) delete from point_total_counts', []);
}

interface StoredUser {
  readonly subject: Subject;
  /** null: the area has not seen the user. */
  readonly points: unknown;
}

/** As the engine stores users. */
async function store(account: string, ...users: readonly StoredUser[]): Promise<void> {
  known.set(account, (known.get(account) ?? 0) + users.length);
  await database.sql.query(
    'insert into user_states (account, subject, points) select $1, * from json_to_recordset($2) as u (subject bigint, points jsonb)',
    [account, JSON.stringify(users)],
  );
}

/** A user's state with these totals, in other systems too. @param taken what was taken in each system */
function stateWith(totals: Readonly<Record<string, bigint>>, taken = 0n) {
  const plan = pointsRules.compile(configuration(Object.keys(totals).map((key) => pointsSystem(key, []))));
  const systems = Object.values(totals).map((total) => ({
    total: exactOf(total),
    earned: exactOf(total + taken),
    settledTo: 0,
    level: null,
    otherSums: [],
    left: new Map(),
    boosts: [],
    boostsEndedTo: 0,
  }));
  return pointsRules.encode({ ...pointsRules.initial(plan), createdAt: 0, position: 1, systems }, plan);
}

type Awarded = Pick<PointsAward, 'system' | 'awarded' | 'total'>;

/** As the engine stores what some records award. */
async function count(account: string, ...records: readonly (readonly Awarded[])[]): Promise<void> {
  const { name, onConflict } = POINT_TOTAL_COUNTS;
  const rows = new AreaRows();
  for (const awards of records) rows.add(new Map([[name, totalRows(account, awards as readonly PointsAward[])]]));
  await database.sql.query(
    `insert into ${name} select * from json_populate_recordset(null::${name}, $1::json) ${onConflict}`,
    [JSON.stringify(rows.merged([POINT_TOTAL_COUNTS]).get(name) ?? [])],
  );
}

type Totals = Readonly<Record<string, bigint>>;

/** Users with these totals, each reached in one record. */
async function reached(account: string, totals: readonly Totals[], first = 'user 0'): Promise<void> {
  const subjects = totals.map((_, index) => subjectOf(index === 0 ? first : `user ${index}`));
  await store(account, ...totals.map((of, index) => ({ subject: subjects[index] as Subject, points: stateWith(of) })));
  const awards = totals.map((of) => Object.entries(of).map(([system, total]) => ({ system, awarded: total, total })));
  await count(account, ...awards);
}

/** Users of the account with these totals in the system `__proto__`. */
const given = (totals: readonly bigint[]) =>
  reached(
    ACCOUNT,
    totals.map((total) => ({ ['constructor']: 7n, [PROTO]: total })),
  );

/** By how many statements a read looks at the state of every user. */
let recounts = 0;
const watched: SqlReader = {
  query: (sql, parameters) => {
    if (sql.includes('user_states')) recounts++;
    return database.sql.query(sql, parameters);
  },
};

const users = { count: (account: string) => Promise.resolve(known.get(account) ?? 0) };

const queriesUnder = (under: Configuration) =>
  new PointsQueries(watched, { read: () => Promise.resolve(null) }, () => historyOf(under), users);

const queries = (levels = [level('novice', 1), level('adept', 100)]) =>
  queriesUnder(configuration([pointsSystem(PROTO, [], { levels }), OTHER]));

const byLevel = async (...levels: Parameters<typeof queries>) =>
  (await queries(...levels).usersByLevel(ACCOUNT, PROTO)).map((row) => [row.level.key, row.users]);

const byRange = async () =>
  (await queries().usersByRange(ACCOUNT, PROTO)).map(({ from, to, users }) => [from, to, users]);

/** Only the ranges with users. */
const taken = async () => (await byRange()).filter(([, , users]) => users !== 0);

describe('usersByLevel', () => {
  it('counts by what was earned if levels follow it, also where points were taken', async () => {
    const levels = [level('novice', 1), level('adept', 100)];
    const under = configuration([pointsSystem(PROTO, [], { levels, levelsBy: 'earned' }), OTHER]);
    const points = [
      stateWith({ [PROTO]: 20n }, 80n),
      stateWith({ [PROTO]: 0n }, 1n),
      stateWith({ [PROTO]: 99n }),
      null,
    ];
    await store(ACCOUNT, ...points.map((each, index) => ({ subject: subjectOf(`user ${index}`), points: each })));
    const counted = await queriesUnder(under).usersByLevel(ACCOUNT, PROTO);
    expect(counted.map((row) => [row.level.key, row.users])).toEqual([
      ['novice', 2],
      ['adept', 1],
    ]);
  });

  it('counts each user at the highest level reached, and omits users below all levels', async () => {
    await given([0n, 1n, 99n, 100n, 10n ** 30n]);
    expect(await byLevel()).toEqual([
      ['novice', 2],
      ['adept', 2],
    ]);
  });

  it('counts users without points in the system at a level of 0 points', async () => {
    await given([5n]);
    await reached(ACCOUNT, [{ constructor: 50n }], PROTO);
    await store(ACCOUNT, { subject: subjectOf('behind'), points: null });
    expect(await byLevel([level('all', 0), level('some', 5)])).toEqual([
      ['all', 2],
      ['some', 1],
    ]);
  });

  it('counts only users of the account', async () => {
    await given([1n]);
    await reached('another', [{ [PROTO]: 1n }]);
    expect(await byLevel()).toEqual([
      ['novice', 1],
      ['adept', 0],
    ]);
  });

  it('returns 0 for every level if the account has no users', async () => {
    expect(await byLevel()).toEqual([
      ['novice', 0],
      ['adept', 0],
    ]);
  });

  it('counts recorded totals: a due time award counts once a sweep has recorded it', async () => {
    const START = at('2024-03-01T12:00:00Z');
    const under = configuration([
      pointsSystem('energy', [onMetric('commits', 1, 1), every(4, 'hour', 1)], { levels: [level('two', 2)] }),
    ]);
    const commit = { at: START, metric: ['commits', 1] } as const;
    const sweep = { at: START + 5 * HOUR, swept: true };
    const reads = queriesUnder(under);
    const happened = async (...happenings: readonly StoryEvent[]) => {
      await clear();
      const life = live(under, happenings);
      await store(ACCOUNT, { subject: subjectOf('ada'), points: pointsArea.encode(life.state) });
      await count(ACCOUNT, awardsOf(life));
    };
    await happened(commit);
    expect((await reads.usersByLevel(ACCOUNT, 'energy'))[0]?.users).toBe(0);
    await happened(commit, sweep);
    expect((await reads.usersByLevel(ACCOUNT, 'energy'))[0]?.users).toBe(1);
  });

  it('equals a recount, which it needs only for levels with more than three significant digits', async () => {
    const round = fc.tuple(fc.nat({ max: 999 }), fc.nat({ max: 4 })).map(([digits, zeros]) => digits * 10 ** zeros);
    const bounds = fc.uniqueArray(fc.oneof(round, fc.nat({ max: 20_000 })), { minLength: 1, maxLength: 6 });
    const totals = fc.array(fc.oneof(fc.nat({ max: 20_000 }), round), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(totals, bounds, async (all, levels) => {
        await clear();
        await given(all.map(BigInt));
        const ascending = levels.sort((a, b) => a - b);
        recounts = 0;
        const counted = await byLevel(ascending.map((points) => level(`at ${points}`, points)));
        expect(counted).toEqual(
          ascending.map((from, place) => [
            `at ${from}`,
            all.filter((total) => from <= total && total < (ascending[place + 1] ?? Infinity)).length,
          ]),
        );
        if (levels.every((points) => /^\d{1,3}0*$/.test(String(points)))) expect(recounts).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  it('counts users at a lower level after points are taken from them', async () => {
    await given([50n, 2_000n]);
    await count(ACCOUNT, [
      { system: PROTO, awarded: 100n, total: 150n },
      { system: PROTO, awarded: -149n, total: 1n },
    ]);
    expect(await byLevel([level('one', 1), level('fifty', 50), level('hundred', 100)])).toEqual([
      ['one', 1],
      ['fifty', 0],
      ['hundred', 1],
    ]);
  });
});

describe('usersByRange', () => {
  it('returns 0–0 and ten equal ranges up to the highest total, rounded up to a multiple of a power of ten', async () => {
    await given([0n, 1n, 100n, 101n, 155n]);
    expect(await byRange()).toEqual([
      [0n, 0n, 1],
      [1n, 100n, 2],
      [101n, 200n, 2],
      ...[3n, 4n, 5n, 6n, 7n, 8n, 9n, 10n].map((place) => [place * 100n - 99n, place * 100n, 0]),
    ]);
  });

  it('ends at the highest total if that is a power of ten', async () => {
    await given([10n]);
    expect(await taken()).toEqual([[10n, 10n, 1]]);
    await clear();
    await given([1_000n]);
    expect(await taken()).toEqual([[901n, 1_000n, 1]]);
    await clear();
    await given([1_001n]);
    expect(await taken()).toEqual([[1_001n, 2_000n, 1]]);
  });

  it('counts users without points in the system at 0, and only users of the account', async () => {
    await reached(ACCOUNT, [{ constructor: 50n }], PROTO);
    await store(ACCOUNT, { subject: subjectOf('behind'), points: null });
    await reached('another', [{ [PROTO]: 500n }]);
    expect(await taken()).toEqual([[0n, 0n, 2]]);
    expect((await byRange()).at(-1)).toEqual([10n, 10n, 0]);
  });

  it('returns all ranges if there are no users', async () => {
    const ranges = await byRange();
    expect(ranges).toHaveLength(11);
    expect(ranges.at(-1)).toEqual([10n, 10n, 0]);
  });

  it('is exact for totals of any size', async () => {
    await given([2n ** 53n + 1n, 10n ** 40n + 1n]);
    expect(await taken()).toEqual([
      [1n, 10n ** 40n, 1],
      [10n ** 40n + 1n, 2n * 10n ** 40n, 1],
    ]);
  });

  it('counts a large total just below a bound below that bound', async () => {
    await given([49_999_999_999_999_999_501n]);
    expect(await taken()).toEqual([[40_000_000_000_000_000_001n, 50_000_000_000_000_000_000n, 1]]);
  });

  it('counts each user in exactly one range, for any totals', async () => {
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
