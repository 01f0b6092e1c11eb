import { exactOf } from '@laurel/amounts';
import {
  EFFECT_COLUMNS,
  GRANT_TRIGGER,
  type LevelChanged,
  type PointsAwarded,
  type PointsEffect,
} from '@laurel/kernel';
import fc from 'fast-check';
import { at, boost, configuration, every, level, onCreation, onMetric, pointsSystem } from './points.fixture.ts';
import { awardsInSystem, encodePointsEffects } from './points-effects.ts';

const EVENT = { occurredAt: at('2024-03-29T23:30:00.123Z'), eventId: '01a1fd77-ca34-75e3-86b3-b3e170a5cb98' };
const TODAY = Math.floor(EVENT.occurredAt / 86_400_000);

const decoded = (stored: string) => EFFECT_COLUMNS.points.decode(stored, EVENT, names);

const xp = pointsSystem('xp', [onCreation(1, 'a'), every(1, 'hour', 1, 'b')], {
  levels: [level('10', 10)],
  boosts: [boost('double'), boost('half', { multiplier: 50, end: 9 })],
});
const proto = pointsSystem('__proto__', [onMetric('commits', 1, 1, 'c')]);
const { names, pointsSystems } = configuration([xp, proto]);
const triggers = pointsSystems.flatMap(({ key, triggers: own }) =>
  [...own.map(({ id }) => id), GRANT_TRIGGER].map((id) => [key, id] as const),
);

const points = fc.oneof(fc.integer(), fc.bigInt(-(10n ** 30n), 10n ** 30n).map(exactOf));
const day = fc.integer({ min: TODAY - 1, max: TODAY + 1 });
const awarded = fc
  .record({ trigger: fc.constantFrom(...triggers), awarded: points, total: points, day })
  .map(({ trigger: [system, triggerId], ...rest }) => ({ type: 'PointsAwarded' as const, system, triggerId, ...rest }));
const boosts = fc
  .subarray(xp.boosts.map(({ key: _, where: __, ...own }) => own))
  .map((all) => (all.length === 0 ? {} : { boosts: all }));
const fired = fc
  .tuple(awarded, boosts)
  .map(([award, multiplied]): PointsAwarded => ({ ...award, at: EVENT.occurredAt, due: false, ...multiplied }));
/** Also at the event's very instant. */
const due = fc
  .tuple(awarded, fc.integer({ min: 0, max: 40 * 86_400_000 }), boosts)
  .map(([award, before, multiplied]): PointsAwarded => {
    const dueAt = EVENT.occurredAt - before;
    return { ...award, at: dueAt, day: Math.floor(dueAt / 86_400_000) + award.day - TODAY, due: true, ...multiplied };
  });
const key = fc.option(fc.constantFrom('10', '__proto__', 'level'));
const changed: fc.Arbitrary<LevelChanged> = fc.record({
  type: fc.constant('LevelChanged'),
  system: fc.constantFrom('xp', '__proto__'),
  from: key,
  to: key,
  due: fc.boolean(),
});
const effects: fc.Arbitrary<PointsEffect[]> = fc.array(fc.oneof(fired, due, changed), { maxLength: 6 });

describe('stored effects on points, for any awards', () => {
  it('are decoded to the effects that were encoded', () => {
    fc.assert(
      fc.property(effects, (caused) => {
        const columns = encodePointsEffects(caused, EVENT, names);
        const read = columns === null ? [] : decoded(columns.points ?? '');
        expect(read).toEqual(caused);
      }),
    );
  });

  it('list the systems with awards, and the id of the event if it awarded points itself', () => {
    fc.assert(
      fc.property(effects, (caused) => {
        const awards = caused.filter((effect) => effect.type === 'PointsAwarded');
        const { systems, event_id } = encodePointsEffects(caused, EVENT, names) ?? {};
        const numbers = new Set(awards.map(({ system }) => names.systems.numberOf(system)));
        expect(systems?.split(',').map(Number) ?? []).toEqual([...numbers].sort());
        expect(event_id).toBe(awards.some((award) => !award.due) ? EVENT.eventId : undefined);
      }),
    );
  });
});

describe('stored effects on points', () => {
  const award = {
    type: 'PointsAwarded',
    system: 'xp',
    triggerId: triggers[0]?.[1] ?? '',
    awarded: 5,
    total: 15,
  } as const;
  const stored = (...caused: readonly PointsEffect[]) => encodePointsEffects(caused, EVENT, names);

  it('have the documented form', () => {
    const own = { ...award, at: EVENT.occurredAt, due: false };
    expect(stored({ ...own, day: TODAY })).toEqual({ points: '[[2,5,15]]', event_id: EVENT.eventId, systems: '1' });
    expect(stored({ ...own, day: TODAY + 1 })?.points).toBe('[[2,5,15,1]]');
    expect(stored({ ...own, day: TODAY - 1, total: 10n ** 16n })?.points).toBe('[[2,5,"10000000000000000",-1]]');
    const dueAt = EVENT.occurredAt - 1_000;
    expect(stored({ ...award, at: dueAt, day: TODAY, due: true })).toEqual({
      points: `[[2,5,15,0,${dueAt}]]`,
      systems: '1',
    });
    expect(stored({ ...own, day: TODAY, boosts: xp.boosts.toReversed() })?.points).toBe('[[2,5,15,0,null,2,1]]');
    expect(stored({ type: 'LevelChanged', system: '__proto__', from: null, to: '10', due: true })).toEqual({
      points: '[["level",2,null,"10",1]]',
    });
    expect(stored({ ...own, triggerId: GRANT_TRIGGER, system: '__proto__', day: TODAY })).toEqual({
      points: '[[-2,5,15]]',
      event_id: EVENT.eventId,
      systems: '2',
    });
    expect(stored()).toBeNull();
  });

  it('are refused if this process does not know their version', () => {
    expect(() => decoded('[[9,1,1]]')).toThrow(RangeError);
    expect(() => awardsInSystem('[[9,1,1]]', EVENT.occurredAt, names, 'xp')).toThrow(RangeError);
  });

  it('can be read for one points system, grants included, without other systems and levels', () => {
    const points = '[[-2,5,5],["level",2,null,"10",1],[2,5,15,0,1000],[-1,7,22]]';
    for (const system of ['xp', '__proto__']) {
      const awards = awardsInSystem(points, EVENT.occurredAt, names, system);
      const all = decoded(points);
      const expected = all.filter((effect) => effect.type === 'PointsAwarded' && effect.system === system);
      expect(Array.from({ length: awards.count }, (_, index) => awards.at(index))).toEqual(expected);
      expect(expected).toHaveLength(system === 'xp' ? 2 : 1);
    }
  });
});
