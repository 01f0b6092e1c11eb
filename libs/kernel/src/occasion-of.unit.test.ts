import { subjectOf } from '@laurel/testing/subjects';
import { parseDay } from '@laurel/calendar';
import type { Configuration } from './configuration.ts';
import type { UserEvent } from './events.ts';
import type { RecordedUserEvent, UserSwept } from './message.ts';
import { occasionOf } from './occasion-of.ts';

const AT = Date.parse('2026-01-10T12:00:00Z');
const named = (key: string) => ({ id: `id of ${key}`, key, name: key });
const configuration = { version: 3, metrics: ['commits', '__proto__'].map(named) } as unknown as Configuration;

const metricEvent = (metric: string, value: bigint): UserEvent => ({
  ...{ type: 'MetricEventRecorded', subject: subjectOf('ada'), metric, value, user: { tz: 'UTC' } },
  ...{ attributes: new Map(), keyHash: null, imported: false },
});

const recordOf = (fact: UserEvent | UserSwept): RecordedUserEvent => ({
  eventId: 'e',
  account: 'default',
  configurationVersion: 3,
  occurredAt: AT,
  recordedAt: AT,
  position: 9,
  fact,
});

describe('occasionOf', () => {
  it('names the metric by its index in the version, and the value as the rules count it', () => {
    const event = metricEvent('__proto__', 2n ** 53n);
    expect(occasionOf(recordOf(event), null, configuration)).toMatchObject({
      ...{ account: 'default', subject: subjectOf('ada'), position: 9, eventId: 'e', occurredAt: AT },
      event,
      reported: { metric: 1, value: 2n ** 53n },
    });
    const small = occasionOf(recordOf(metricEvent('commits', 5n)), null, configuration);
    expect(small.reported).toEqual({ metric: 0, value: 5 });
  });

  it('throws if the version lacks the metric', () => {
    const record = recordOf(metricEvent('merges', 5n));
    expect(() => occasionOf(record, null, configuration)).toThrow('version 3 has no metric "merges"');
  });

  it('reports no value for other events', () => {
    const swept: UserSwept = { type: 'UserSwept', subject: subjectOf('ada'), place: 4 };
    expect(occasionOf(recordOf(swept), null, configuration)).toMatchObject({ event: swept, reported: null });
  });

  it('copies the user, so that the users area does not change the message', () => {
    const user = { createdAt: AT - 5, zone: 'Asia/Tokyo', previousZone: 'UTC', day: parseDay('2026-01-10'), total: 7 };
    const occasion = occasionOf(recordOf(metricEvent('commits', 1n)), user, configuration);
    expect(occasion.user).toEqual(user);
    occasion.user.total = 8;
    expect(user.total).toBe(7);
  });
});
