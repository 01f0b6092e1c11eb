import { subjectOf } from '@laurel/testing/subjects';
import { parseDay } from '@laurel/calendar';
import type { Configuration } from '../configuration.ts';
import type { UserFact } from '../log.ts';
import type { ChainMessage, StreakChange, StreaksSection, UserSwept } from '../message.ts';
import { effectsOf, occasionOf } from './message-codec.ts';

const AT = Date.parse('2026-01-10T12:00:00Z');
const named = (key: string) => ({ id: `id of ${key}`, key, name: key });
const configuration = { version: 3, metrics: ['commits', '__proto__'].map(named) } as unknown as Configuration;

const metricEvent = (metric: string, value: bigint): UserFact => ({
  ...{ type: 'MetricEventRecorded', subject: subjectOf('ada'), metric, value, user: { tz: 'UTC' } },
  ...{ attributes: new Map(), keyHash: null, imported: false },
});

const messageOf = (fact: UserFact | UserSwept): ChainMessage => ({
  record: {
    ...{ eventId: 'e', account: 'default', configurationVersion: 3, occurredAt: AT, recordedAt: AT, position: 9 },
    fact,
  },
});

const users = {
  ...{ created: false, createdAt: AT - 5, zone: 'Asia/Tokyo', previousZone: 'UTC', date: '2026-01-10' },
  total: 7_000_000n,
};

const streaks = (extended: boolean, ...changes: readonly StreakChange[]): StreaksSection => ({
  extended,
  changes,
  streak: {
    ...{ length: 1, started: '2026-01-10', periodStart: '2026-01-10', periodEnd: '2026-01-10' },
    ...{ expires: '2026-01-11', extendedAt: AT },
    frequency: 'daily',
  },
});

describe('the occasion of a message', () => {
  it('has the metric by its place in the version, and the value as the rules count', () => {
    expect(occasionOf(messageOf(metricEvent('__proto__', 2n ** 53n)), configuration)).toMatchObject({
      ...{ account: 'default', subject: subjectOf('ada'), position: 9, eventId: 'e', occurredAt: AT },
      cause: { type: 'MetricReported', metric: 1, value: 2n ** 53n, fields: { tz: 'UTC' } },
    });
    const small = occasionOf(messageOf(metricEvent('commits', 5n)), configuration);
    expect(small.cause).toMatchObject({ metric: 0, value: 5 });
  });

  it('is refused for a metric that the version does not hold, instead of counting it nowhere', () => {
    const message = messageOf(metricEvent('merges', 5n));
    expect(() => occasionOf(message, configuration)).toThrow('version 3 has no metric "merges"');
  });

  it('says what was reported, or that time passed', () => {
    const causeOf = (fact: UserFact | UserSwept) => occasionOf(messageOf(fact), configuration).cause;
    const fields = { name: 'Ada' };
    expect(causeOf({ type: 'UserIdentified', subject: subjectOf('ada'), user: fields })).toEqual({
      type: 'ProfileReported',
      fields,
    });
    expect(
      causeOf({ type: 'AchievementCompletedByCall', subject: subjectOf('ada'), achievement: 'a', user: fields }),
    ).toEqual({
      type: 'CompletionReported',
      achievement: 'a',
      fields,
    });
    expect(causeOf({ type: 'UserSwept', subject: subjectOf('ada'), place: 4 })).toEqual({
      type: 'TimePassed',
      place: 4,
    });
  });

  it('knows the user as the users area said', () => {
    const { user } = occasionOf({ ...messageOf(metricEvent('commits', 1n)), users }, configuration);
    expect(user).toEqual({
      ...{ createdAt: AT - 5, zone: 'Asia/Tokyo', previousZone: 'UTC', day: parseDay('2026-01-10') },
      total: 7_000_000,
    });
  });
});

describe('the effects of a message', () => {
  const day = parseDay('2026-01-10');

  it('are the creation and the new total, unless the value is 0', () => {
    const created = { ...users, created: true };
    expect(effectsOf({ ...messageOf(metricEvent('commits', 2n)), users: created })).toEqual([
      { type: 'UserCreated', at: AT },
      { type: 'MetricTotalChanged', metric: 'commits', change: 2, total: 7_000_000, day },
    ]);
    expect(effectsOf({ ...messageOf(metricEvent('commits', 0n)), users })).toEqual([]);
    expect(effectsOf({ ...messageOf({ type: 'UserSwept', subject: subjectOf('ada'), place: 0 }), users })).toEqual([]);
  });

  it('are the extension that the event brought, what was revived before it, and each end', () => {
    const of = (extended: boolean, ...changes: readonly StreakChange[]) =>
      effectsOf({ ...messageOf(metricEvent('commits', 0n)), streaks: streaks(extended, ...changes) });
    const ended = { at: AT - 9, length: 0 };
    expect(of(true, ended, { at: AT, length: 1 })).toEqual([
      { type: 'StreakEnded', ...ended, generation: 0 },
      { type: 'StreakStarted', at: AT, length: 1, period: day },
    ]);
    expect(of(true, { at: AT - 1, length: 4 }, { at: AT, length: 5 })).toEqual([
      { type: 'StreakRevived', at: AT - 1, length: 4 },
      { type: 'StreakExtended', at: AT, length: 5, period: day },
    ]);
    expect(of(false, { at: AT, length: 4 })).toEqual([{ type: 'StreakRevived', at: AT, length: 4 }]);
    expect(of(false)).toEqual([]);
  });

  it('are completions, then awards in whole points, each on its own day', () => {
    const award = { id: 'x', system: 'xp', triggerId: 't', awarded: -3n, total: 2n ** 53n, at: AT - 7, due: true };
    const message: ChainMessage = {
      ...messageOf(metricEvent('commits', 0n)),
      achievements: { completed: [{ key: '__proto__', achievedAt: AT }] },
      points: { awards: [{ ...award, date: '2026-01-10' }], systems: [] },
    };
    const { id: _id, ...awarded } = award;
    expect(effectsOf(message)).toEqual([
      { type: 'AchievementCompleted', achievement: '__proto__', at: AT },
      { type: 'PointsAwarded', ...awarded, awarded: -3, day },
    ]);
  });
});
