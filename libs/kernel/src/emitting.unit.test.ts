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
  user: { zone: 'Asia/Tokyo', previousZone: 'UTC', day: parseDay('2026-03-02') },
};

const award = { type: 'PointsAwarded', system: 'xp', triggerId: 't', awarded: 1, total: 1 } as const;
const completedAt = (achievement: string, at: number): Effect => ({ type: 'AchievementCompleted', achievement, at });

describe('what a rule emits', () => {
  it('bears the instant of the event, and its day on the new clock', () => {
    const list = new EffectList(EVENT, CONFIGURATION);
    list.emit({ ...award });
    expect(list.effects).toEqual([{ ...award, at: NOON, day: parseDay('2026-03-02'), due: false }]);
    expect(list.stamp).toEqual({ at: NOON, zone: 'Asia/Tokyo', version: 3, due: false });
  });

  it('bears the instant at which it fell due, on the clock and under the version of that time', () => {
    const list = new EffectList(EVENT, CONFIGURATION);
    const due = list.dueAt(NOON - 13 * HOUR);
    due.emit({ ...award });
    due.emit({ type: 'LevelChanged', system: 'xp', from: null, to: 'a' });
    expect(list.effects).toEqual([
      { ...award, at: NOON - 13 * HOUR, day: parseDay('2026-03-01'), due: true },
      { type: 'LevelChanged', system: 'xp', from: null, to: 'a', due: true },
    ]);
    expect(due.stamp).toEqual({ at: NOON - 13 * HOUR, zone: 'UTC', version: 1, due: true });
  });

  it('bears nothing that its type has no room for', () => {
    const list = new EffectList(EVENT, CONFIGURATION);
    list.dueAt(NOON).emit({ type: 'PeriodSkipped', period: 1, length: 2 });
    list.emit({ type: 'UserForgotten' });
    expect(list.effects).toEqual([{ type: 'PeriodSkipped', period: 1, length: 2 }, { type: 'UserForgotten' }]);
  });

  it('is dated by the event as the users area has filled it in meanwhile', () => {
    const user = { zone: 'UTC', previousZone: 'UTC', day: 0 };
    const list = new EffectList({ occurredAt: NOON, user }, CONFIGURATION);
    user.day = parseDay('2026-03-03');
    list.emit({ ...award });
    expect(list.effects).toMatchObject([{ day: parseDay('2026-03-03') }]);
  });

  it('may be put aside, and taken with the stamps that it has', () => {
    const list = new EffectList(EVENT, CONFIGURATION);
    const aside = list.aside();
    aside.dueAt(NOON - HOUR).emit({ type: 'StreakEnded', length: 3, generation: 1 });
    expect(list.effects).toEqual([]);
    list.take(aside);
    expect(list.effects).toEqual([{ type: 'StreakEnded', length: 3, generation: 1, at: NOON - HOUR }]);
  });
});

describe('effects that fire a rule', () => {
  const before = [
    completedAt('own', NOON),
    completedAt('late', NOON - HOUR),
    completedAt('early', NOON - 3 * HOUR),
    { type: 'UserCreated', at: NOON } as const,
  ];

  it('are those of the types asked for: what fell due by its instant, then what the event caused', () => {
    const firings = new EffectList(EVENT, CONFIGURATION, null, before).firings('AchievementCompleted');
    expect(
      firings.map(({ effect, emitter }) => [effect.achievement, emitter.stamp.due, emitter.stamp.version]),
    ).toEqual([
      ['early', true, 1],
      ['late', true, 3],
      ['own', false, 3],
    ]);
  });

  it('give their stamp to what the rule emits', () => {
    const list = new EffectList(EVENT, CONFIGURATION, null, before);
    for (const { emitter } of list.firings('AchievementCompleted')) emitter.emit({ ...award });
    expect(list.effects.slice(before.length)).toMatchObject([
      { at: NOON - 3 * HOUR, due: true },
      { at: NOON - HOUR, due: true },
      { at: NOON, due: false },
    ]);
  });
});

describe('the version in force', () => {
  it('is the newest that was published by then', () => {
    const at = [NOON, NOON - HOUR, NOON - HOUR - 1, NOON - 2 * HOUR - 1].map((instant) =>
      versionAt(CONFIGURATION, instant),
    );
    expect(at).toEqual([3, 3, 2, 1]);
  });

  it('is the only one where no other is known', () => {
    expect(versionAt({ version: 7 }, NOON)).toBe(7);
  });
});
