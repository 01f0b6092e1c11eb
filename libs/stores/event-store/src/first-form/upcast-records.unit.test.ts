import { subjectOf } from '@laurel/testing/subjects';
import { MemoryDirectory } from '@laurel/testing/http-modules';
import { keyHashOf } from '../key-hash.ts';
import { liftRecords, type FirstFormEvent, type FirstFormRecord } from './upcast-records.ts';

const recordOf = (fact: Partial<FirstFormEvent> & Pick<FirstFormEvent, 'type'>): FirstFormRecord => ({
  eventId: '6e6f0f1f-7b1d-4d57-9a63-000000000001',
  account: 'default',
  configurationVersion: 3,
  occurredAt: 1_000,
  recordedAt: 2_000,
  fact: { schemaVersion: 1, userId: null, metric: null, idempotencyKey: null, data: {}, ...fact },
});

const lifted = async (fact: Parameters<typeof recordOf>[0]) => {
  const [record] = await liftRecords([recordOf(fact)], new MemoryDirectory());
  return record?.fact;
};

const ANN = subjectOf('ann');

describe('a recorded event of release 0.1', () => {
  it('keeps its event id, instants and configuration version', async () => {
    const [record] = await liftRecords([recordOf({ type: 'ImportOpened' })], new MemoryDirectory());
    expect(record).toEqual({ ...recordOf({ type: 'ImportOpened' }), fact: { type: 'ImportOpened' } });
  });

  it('with a metric gets a subject for its user and a hash for its idempotency key', async () => {
    const user = { name: 'Ann', tz: 'Asia/Tokyo', attributes: [['__proto__', 'x']] };
    const data = { value: '-1.5', attributes: [['b', 'c']], imported: true, user };
    const scope = { userId: 'ann', metric: 'words', idempotencyKey: 'k' };
    expect(await lifted({ type: 'MetricEventRecorded', ...scope, data })).toEqual({
      type: 'MetricEventRecorded',
      subject: ANN,
      metric: 'words',
      value: -1_500_000n,
      user: { name: 'Ann', tz: 'Asia/Tokyo', attributes: new Map([['__proto__', 'x']]) },
      attributes: new Map([['b', 'c']]),
      keyHash: keyHashOf({ account: 'default', subject: ANN, metric: 'words', key: 'k' }),
      imported: true,
    });
  });

  it('distinguishes a removed zone from one that was not given', async () => {
    const fact = { type: 'UserIdentified', userId: 'ann' };
    expect(await lifted({ ...fact, data: { user: { tz: null } } })).toMatchObject({ user: { tz: null } });
    expect(await lifted({ ...fact, data: { user: { name: 'A' } } })).toMatchObject({ user: { name: 'A' } });
    expect(await lifted(fact)).toEqual({ type: 'UserIdentified', subject: ANN, user: {} });
  });

  it('of a sweep gets the subjects in the same order', async () => {
    const subjects = ['bob', 'ann', 'eve'].map(subjectOf);
    expect(await lifted({ type: 'UsersSwept', data: { userIds: ['bob', 'ann', 'eve'] } })).toEqual({
      type: 'UsersSwept',
      subjects,
    });
  });

  it.each([
    ['AchievementCompletedByCall', 'ann', { achievement: 'a' }, { subject: ANN, achievement: 'a', user: {} }],
    ['ImportOpened', null, { unboundedAwards: true }, { unboundedAwards: true }],
    ['ImportClosed', null, { reason: 'idle' }, { cause: 'idle' }],
    ['ConfigurationPublished', null, { version: 2, document: { a: 1 } }, { version: 2, document: { a: 1 } }],
  ])('is upcast with all its fields (%s)', async (type, userId, data, fact) => {
    expect(await lifted({ type, userId, data })).toEqual({ type, ...fact });
  });

  it('is refused if its schema version is another one', async () => {
    await expect(lifted({ type: 'ImportOpened', schemaVersion: 2 })).rejects.toThrow('is of schema version 2');
  });
});
