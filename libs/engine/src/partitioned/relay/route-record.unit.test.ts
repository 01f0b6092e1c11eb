import { subjectOf } from '@laurel/testing/subjects';
import { newMessage, type DomainEvent, type RecordedEvent, type UserEvent } from '@laurel/kernel';
import { partitionOf } from '@laurel/event-stream';
import { routeRecord } from './route-record.ts';

const PARTITIONS = 12;

const recordOf = (fact: DomainEvent): RecordedEvent => ({
  eventId: 'e',
  account: 'default',
  configurationVersion: 3,
  occurredAt: 1_000,
  recordedAt: 2_000,
  position: 7,
  fact,
});

const event = (user: string): UserEvent => ({
  type: 'MetricEventRecorded',
  subject: subjectOf(user),
  metric: 'm',
  value: 1_000_000n,
  user: {},
  attributes: new Map(),
  keyHash: null,
  imported: false,
});

describe('a recorded event', () => {
  it.each<UserEvent>([
    event('ann'),
    { type: 'UserIdentified', subject: subjectOf('ann'), user: {} },
    { type: 'AchievementCompletedByCall', subject: subjectOf('ann'), achievement: 'a', user: {} },
  ])("of a user is routed to the user's partition unchanged ($type)", (fact) => {
    const record = recordOf(fact);
    expect(routeRecord(record, PARTITIONS)).toEqual([
      {
        partition: partitionOf('default', subjectOf('ann'), PARTITIONS),
        key: String(subjectOf('ann')),
        streamed: { kind: 'record', message: newMessage({ ...record, fact }), trail: [] },
      },
    ]);
  });

  it('is routed without the attributes of the metric event, or the reason of the erasure', () => {
    const attributes = new Map([['__proto__', 'x']]);
    expect(routeRecord(recordOf({ ...event('ann'), attributes } as UserEvent), PARTITIONS)).toEqual(
      routeRecord(recordOf(event('ann')), PARTITIONS),
    );
    const erased: UserEvent = { type: 'UserErased', subject: subjectOf('ann'), boards: 'remove', by: 'local' };
    expect(routeRecord(recordOf({ ...erased, reason: 'a letter' }), PARTITIONS)).toEqual(
      routeRecord(recordOf(erased), PARTITIONS),
    );
  });

  it("of a grant is routed to the user's partition without its reason, which may name the user", () => {
    const fact: UserEvent = {
      ...{ type: 'GrantRecorded', subject: subjectOf('ann'), keyHash: null, by: 'local' },
      grant: { kind: 'points', system: 'xp', amount: 5n },
    };
    const routed = routeRecord(recordOf({ ...fact, reason: 'Ann rang' }), PARTITIONS);
    expect(routed).toEqual(routeRecord(recordOf(fact), PARTITIONS));
    expect(routed.map(({ partition }) => partition)).toEqual([partitionOf('default', subjectOf('ann'), PARTITIONS)]);
    expect(routed.map(({ streamed }) => streamed.kind === 'record' && streamed.message.record.fact)).toEqual([fact]);
  });

  it('of a correction is refused by name, because no service could apply it', () => {
    const fact: UserEvent = {
      ...{ type: 'CorrectionRecorded', subject: subjectOf('ann'), keyHash: null },
      corrections: [{ position: 1, eventId: 'e', retract: true }],
      ...{ achievements: 'recompute', finalRuns: 'keep', preview: 'p' },
    };
    expect(() => routeRecord(recordOf(fact), PARTITIONS)).toThrow('not_in_this_topology');
  });

  it("of a sweep is routed to the partition of each user, with the user's place in the sweep", () => {
    const subjects = ['ann', '__proto__', 'bob'].map(subjectOf);
    const routed = routeRecord(recordOf({ type: 'UsersSwept', subjects }), PARTITIONS);
    expect(routed.map(({ key }) => key)).toEqual(subjects.map(String));
    expect(routed.map(({ partition }) => partition)).toEqual(
      subjects.map((subject) => partitionOf('default', subject, PARTITIONS)),
    );
    expect(routed.map(({ streamed }) => streamed.kind === 'record' && streamed.message.record.fact)).toEqual(
      subjects.map((subject, place) => ({ type: 'UserSwept', subject, place })),
    );
  });

  it('of a publication is routed to every partition without the document', () => {
    const routed = routeRecord(
      recordOf({ type: 'ConfigurationPublished', version: 3, document: { a: 1 } }),
      PARTITIONS,
    );
    expect(routed.map(({ partition }) => partition)).toEqual(Array.from({ length: PARTITIONS }, (_, n) => n));
    const streamed = { kind: 'configuration', account: 'default', version: 3, publishedAt: 1_000 };
    expect(new Set(routed.map((one) => JSON.stringify(one.streamed)))).toEqual(new Set([JSON.stringify(streamed)]));
  });

  it.each<DomainEvent>([
    { type: 'ImportOpened' },
    { type: 'ImportClosed', cause: 'idle' },
    { type: 'ApiKeyRevoked', id: 'k' },
    { type: 'WebhookChanged', id: 'w', change: 'created', origin: 'https://example.com', types: null },
    { type: 'LeaderboardRunStarted', board: 'weekly', run: '2026-03-02' },
    { type: 'LeaderboardRunEnded', board: 'weekly', run: '2026-03-02' },
    { type: 'BoostStarted', system: 'xp', boost: 'weekend' },
    { type: 'BoostFinished', system: 'xp', boost: 'weekend' },
    { type: 'ApiKeyCreated', id: 'k', label: '', scopes: [], expiresAt: null, requestsPerMinute: null },
  ])('of an import, key, webhook or leaderboard run is not routed ($type)', (fact) =>
    expect(routeRecord(recordOf(fact), PARTITIONS)).toEqual([]),
  );
});
