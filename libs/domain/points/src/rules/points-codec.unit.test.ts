import { parseDay } from '@laurel/calendar';
import type { Boost } from '@laurel/kernel';
import { configuration, onMetric, pointsSystem } from '../points.fixture.ts';
import { pointsRules } from './points.ts';
import { newSystem } from './points-state.ts';

const [small, large] = [onMetric('commits', 1, 1, 'small'), onMetric('commits', 9, 1, 'large')];
const xp = pointsSystem('xp', [small, large]);
const proto = pointsSystem('__proto__', [small]);

/** What an installation has stored: it is read for good. */
const STORED = {
  v: 1,
  createdAt: 1_700_000_000_000,
  zone: 'Asia/Tokyo',
  position: 7,
  systems: [
    [
      'xp',
      '1000000000000000000000000',
      1_700_000_000_005,
      [
        [small.id, '-0.5', '2'],
        [large.id, '9007199254740993.000001'],
      ],
    ],
    ['__proto__', '3', 1_700_000_000_000, [[small.id, '4']]],
  ],
};

const planOf = (...systems: Parameters<typeof configuration>[0]) => pointsRules.compile(configuration(systems));
const throughPlan = (plan: ReturnType<typeof planOf>, stored: object = STORED) =>
  JSON.parse(JSON.stringify(pointsRules.encode(pointsRules.decode(stored, plan), plan))) as typeof STORED;

/** Systems in which points were taken: one with a level, one without. */
const TAKEN = {
  ...STORED,
  systems: [
    ['xp', '20', 1_700_000_000_000, [], { key: 'gold', position: 5 }, '120'],
    ['__proto__', '0', 1_700_000_000_000, [], null, '9007199254740993'],
  ],
};

describe('the stored state of points', () => {
  it('is the same after it is read and written', () => {
    expect(throughPlan(planOf(xp, proto))).toEqual(STORED);
    for (const plan of [planOf(xp, proto), planOf()]) expect(throughPlan(plan, TAKEN)).toEqual(TAKEN);
  });

  it('names the points earned only if they differ from the total, in at most 16 bytes up to 8 digits', () => {
    const earnedIn = (stored: object) =>
      pointsRules.decode(stored, planOf(xp, proto)).systems.map((each) => each?.earned);
    expect(earnedIn(STORED)).toEqual([10n ** 24n, 3]);
    expect(earnedIn(TAKEN)).toEqual([120, 9007199254740993n]);
    const bytesOf = (system: readonly unknown[]) => JSON.stringify(system).length;
    const plain = ['xp', '20', 1_700_000_000_000, []];
    expect(bytesOf([...plain, null, '99999999']) - bytesOf(plain)).toBeLessThanOrEqual(16);
  });

  it('keeps systems and sums that the version lacks, after those that it has', () => {
    expect(throughPlan(planOf())).toEqual(STORED);
    expect(throughPlan(planOf(proto))).toEqual({ ...STORED, systems: STORED.systems.toReversed() });
    const [first, ...others] = throughPlan(planOf(pointsSystem('xp', [large]), proto)).systems;
    expect(others).toEqual(STORED.systems.slice(1));
    expect(first).toEqual([...STORED.systems[0]!.slice(0, 3), (STORED.systems[0]![3] as string[][]).toReversed()]);
  });

  it('marks only erased users as erased', () => {
    const plan = planOf(proto, xp);
    const state = pointsRules.decode(STORED, plan);
    expect(pointsRules.encode(state, plan)).not.toHaveProperty('erased');
    const erased = pointsRules.encode({ ...state, erased: true }, plan);
    expect(pointsRules.decode(erased, plan).erased).toBe(true);
  });

  it('is decoded into the order of the plan, each sum in the place of its trigger', () => {
    const { systems, sums, ...user } = pointsRules.decode(STORED, planOf(proto, xp));
    expect(user).toEqual({
      createdAt: 1_700_000_000_000,
      zone: 'Asia/Tokyo',
      position: 7,
      erased: false,
      present: null,
      others: [],
    });
    expect(systems.map((system) => system?.total)).toEqual([3, 10n ** 24n]);
    expect(sums).toEqual([
      { sum: 4_000_000, high: 4_000_000 },
      { sum: -500_000, high: 2_000_000 },
      { sum: 9007199254740993000001n, high: 9007199254740993000001n },
    ]);
  });

  it('holds what is used of a cap in at most 24 bytes up to 6 digits', () => {
    const at = Date.parse('2026-03-10T23:30:00Z');
    const capped = { ...STORED, at, caps: [['d-1', 999_999]] };
    const both = { ...STORED, at: [at, 1], caps: [['d-1', 60], ['m12', 5]] }; // prettier-ignore
    for (const stored of [capped, both, { ...STORED, at }])
      expect(throughPlan(planOf(xp), stored)).toMatchObject(stored);
    expect(JSON.stringify(capped).length - JSON.stringify({ ...STORED, at }).length).toBeLessThanOrEqual(24);
  });

  it('keeps the latest date apart from the latest instant only where the two disagree', () => {
    const at = Date.parse('2026-03-10T23:30:00Z');
    const presentOf = (stored: object) => pointsRules.decode({ ...STORED, ...stored }, planOf(xp)).present;
    expect(presentOf({})).toBeNull();
    expect(presentOf({ at })).toEqual({ at, day: parseDay('2026-03-10'), used: new Map() });
    const tokyo = presentOf({ at: [at, 1], caps: [['w3', 5]] });
    expect(tokyo).toEqual({ at, day: parseDay('2026-03-11'), used: new Map([['w3', 5]]) });
  });

  it('is null for a user without events', () => {
    const plan = planOf(xp);
    expect(pointsRules.encode(pointsRules.initial(plan), plan)).toBeNull();
    expect(pointsRules.decode(null, plan)).toEqual(pointsRules.initial(plan));
  });

  it('holds each boost of the user in at most 100 bytes and its name', () => {
    const plan = pointsRules.compile(configuration([pointsSystem('xp', [])]));
    const boost = {
      ...{ id: '01a1fd77-ca34-75e3-86b3-b3e170a5cb98', name: 'Happy hour', multiplier: 10_000 },
      ...{ rounding: 'nearest' as const, start: 1_772_884_800_000, end: 1_772_888_400_000 },
    };
    const stateWith = (boosts: readonly Boost[]) => ({
      ...pointsRules.initial(plan),
      ...{ createdAt: 0, position: 1 },
      systems: [{ ...newSystem(pointsRules.initial(plan)), boosts }],
    });
    const state = stateWith([boost, { ...boost, rounding: 'up', multiplier: 1 }]);
    const stored: unknown = JSON.parse(JSON.stringify(pointsRules.encode(state, plan)));
    expect(pointsRules.decode(stored, plan)).toEqual(state);
    const bytesOf = (boosts: readonly Boost[]) => JSON.stringify(pointsRules.encode(stateWith(boosts), plan)).length;
    expect(bytesOf([boost, boost]) - bytesOf([boost])).toBeLessThanOrEqual(100 + boost.name.length);
  });
});
