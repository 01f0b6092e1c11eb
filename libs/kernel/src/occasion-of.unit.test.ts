import { subjectOf } from '@laurel/testing/subjects';
import { parseDay } from '@laurel/calendar';
import type { Configuration } from './configuration.ts';
import type { UserEvent } from './events.ts';
import { newMessage, type ChainMessage, type UserSwept } from './message.ts';
import { occasionOf } from './occasion-of.ts';

const AT = Date.parse('2026-01-10T12:00:00Z');
const named = (key: string) => ({ id: `id of ${key}`, key, name: key });
const configuration = { version: 3, metrics: ['commits', '__proto__'].map(named) } as unknown as Configuration;

const metricEvent = (metric: string, value: bigint): UserEvent => ({
  ...{ type: 'MetricEventRecorded', subject: subjectOf('ada'), metric, value, user: { tz: 'UTC' } },
  ...{ attributes: new Map(), keyHash: null, imported: false },
});

const messageOf = (fact: UserEvent | UserSwept): ChainMessage =>
  newMessage({
    ...{ eventId: 'e', account: 'default', configurationVersion: 3, occurredAt: AT, recordedAt: AT, position: 9 },
    fact,
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
    const causeOf = (fact: UserEvent | UserSwept) => occasionOf(messageOf(fact), configuration).cause;
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

  it('knows the user as the message does, and leaves the message as it is when the users area writes', () => {
    const user = { createdAt: AT - 5, zone: 'Asia/Tokyo', previousZone: 'UTC', day: parseDay('2026-01-10'), total: 7 };
    const message = { ...messageOf(metricEvent('commits', 1n)), user };
    const occasion = occasionOf(message, configuration);
    expect(occasion.user).toEqual(user);
    occasion.user.total = 8;
    expect(message.user.total).toBe(7);
  });
});
