import { parseDay } from '@laurel/calendar';
import type { Effect } from './effects.ts';
import { EffectList, versionAt, type Moment } from './emitting.ts';

const HOUR = 3_600_000;
const NOON = Date.parse('2026-03-02T12:00:00Z');
const SECOND = { version: 2, since: NOON - 2 * HOUR, before: { version: 1, since: -Infinity, before: null } };
const CONFIGURATION = { version: 3, inForce: { version: 3, since: NOON - HOUR, before: SECOND } };

/** The event moves the user from UTC to Tokyo, where it is March 2, 21:00. */
const EVENT: Moment = {
  occurredAt: NOON,
  recordedAt: NOON,
  user: {
    zone: 'Asia/Tokyo',
    previousZone: 'UTC',
    day: parseDay('2026-03-02'),
    attributeHashes: new Map([['plan', 'pro']]),
    previousAttributeHashes: new Map([['plan', 'free']]),
  },
};

const award = { type: 'PointsAwarded', system: 'xp', triggerId: 't', awarded: 1, total: 1 } as const;
const completedAt = (achievement: string, at: number): Effect => ({ type: 'AchievementCompleted', achievement, at });

describe('an emitted effect', () => {
  it('has the instant of the event, and its day in the new zone', () => {
    const list = new EffectList(EVENT, CONFIGURATION);
    list.emit({ ...award });
    expect(list.effects).toEqual([{ ...award, at: NOON, day: parseDay('2026-03-02'), due: false }]);
    const attributeHashes = new Map([['plan', 'pro']]);
    const stamp = { at: NOON, recordedAt: NOON, zone: 'Asia/Tokyo', attributeHashes, version: 3, due: false };
    expect(list.stamp).toEqual(stamp);
  });

  it('has its due instant, in the zone and under the version in force then, with the attributes known before', () => {
    const list = new EffectList(EVENT, CONFIGURATION);
    const due = list.dueAt(NOON - 13 * HOUR);
    due.emit({ ...award });
    due.emit({ type: 'LevelChanged', system: 'xp', from: null, to: 'a' });
    expect(list.effects).toEqual([
      { ...award, at: NOON - 13 * HOUR, day: parseDay('2026-03-01'), due: true },
      { type: 'LevelChanged', system: 'xp', from: null, to: 'a', due: true },
    ]);
    const attributeHashes = new Map([['plan', 'free']]);
    const stamp = { at: NOON - 13 * HOUR, recordedAt: NOON, zone: 'UTC', attributeHashes, version: 1, due: true };
    expect(due.stamp).toEqual(stamp);
  });

  it('has only the stamps that its type declares', () => {
    const list = new EffectList(EVENT, CONFIGURATION);
    list.dueAt(NOON).emit({ type: 'PeriodSkipped', period: 1, length: 2 });
    list.emit({ type: 'UserForgotten' });
    expect(list.effects).toEqual([{ type: 'PeriodSkipped', period: 1, length: 2 }, { type: 'UserForgotten' }]);
  });

  it('takes its day from the user as the users area has updated it', () => {
    const user = { zone: 'UTC', previousZone: 'UTC', day: 0 };
    const list = new EffectList({ occurredAt: NOON, recordedAt: NOON, user }, CONFIGURATION);
    user.day = parseDay('2026-03-03');
    list.emit({ ...award });
    expect(list.effects).toMatchObject([{ day: parseDay('2026-03-03') }]);
  });

  it('can be set aside and taken later with its own stamps', () => {
    const list = new EffectList(EVENT, CONFIGURATION);
    const aside = list.aside();
    aside.dueAt(NOON - HOUR).emit({ type: 'StreakEnded', length: 3, generation: 1 });
    expect(list.effects).toEqual([]);
    list.take(aside);
    expect(list.effects).toEqual([{ type: 'StreakEnded', length: 3, generation: 1, at: NOON - HOUR }]);
  });
});

describe('the effects that fire a rule', () => {
  const before = [
    completedAt('own', NOON),
    completedAt('late', NOON - HOUR),
    completedAt('early', NOON - 3 * HOUR),
    { type: 'UserCreated', at: NOON } as const,
  ];

  it('are those of the requested type, due ones by instant before those of the event itself', () => {
    const firings = new EffectList(EVENT, CONFIGURATION, null, before).firings('AchievementCompleted');
    expect(
      firings.map(({ effect, emitter }) => [effect.achievement, emitter.stamp.due, emitter.stamp.version]),
    ).toEqual([
      ['early', true, 1],
      ['late', true, 3],
      ['own', false, 3],
    ]);
  });

  it('pass their stamps to the effects that the rule emits', () => {
    const list = new EffectList(EVENT, CONFIGURATION, null, before);
    for (const { emitter } of list.firings('AchievementCompleted')) emitter.emit({ ...award });
    expect(list.effects.slice(before.length)).toMatchObject([
      { at: NOON - 3 * HOUR, due: true },
      { at: NOON - HOUR, due: true },
      { at: NOON, due: false },
    ]);
  });
});

describe('versionAt', () => {
  it('returns the newest version published by the instant', () => {
    const at = [NOON, NOON - HOUR, NOON - HOUR - 1, NOON - 2 * HOUR - 1].map((instant) =>
      versionAt(CONFIGURATION, instant),
    );
    expect(at).toEqual([3, 3, 2, 1]);
  });

  it('returns the only version if no other is known', () => {
    expect(versionAt({ version: 7 }, NOON)).toBe(7);
  });
});
