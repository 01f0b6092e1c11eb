import type { Effect, DomainEvent, RecordedEvent } from '@laurel/kernel';
import { RecentEvents, type CommittedEvents } from './recent-events.ts';

const CREATED: Effect = { type: 'UserCreated' } as Effect;

const recorded = (position: number, type = 'UserIdentified'): RecordedEvent => ({
  ...{ position, eventId: `event ${position}`, account: 'default', configurationVersion: 1 },
  ...{
    occurredAt: 0,
    recordedAt: 0,
    fact: (type === 'ApiKeyCreated' ? { type } : { type, subject: position }) as unknown as DomainEvent,
  },
});

const positions = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, n) => from + n);

/** Each event is of another user, and caused one effect. */
const batch = (from: number, to: number): CommittedEvents => ({
  after: from - 1,
  records: positions(from, to).map((position) => recorded(position)),
  effects: positions(from, to).map((position) => ({ position, subject: position, effects: [CREATED] })),
});

const positionsOf = (records: readonly RecordedEvent[] | null) => records?.map(({ position }) => position) ?? null;

const holding = (...batches: readonly CommittedEvents[]): RecentEvents => {
  const recent = new RecentEvents(1_000_000);
  for (const one of batches) recent.add(one);
  return recent;
};

describe('recent events', () => {
  it('are returned after a position, and released once the reader has passed them', () => {
    const recent = holding(batch(8, 9), batch(10, 12));
    expect(positionsOf(recent.takeBehind(7, 9))).toEqual([8, 9]);
    expect(positionsOf(recent.takeBehind(7, 12))).toEqual([8, 9, 10, 11, 12]);
    expect(positionsOf(recent.takeBehind(9, 12))).toEqual([10, 11, 12]);
    expect(recent.effectsOf(9, 9)).toBeUndefined();
    expect(recent.effectsOf(10, 10)).toEqual([CREATED]);
    expect(recent.takeBehind(12, 12)).toBeNull();
    expect(recent.bytes).toBe(0);
    recent.add(batch(13, 13));
    expect(positionsOf(recent.takeBehind(12, 13))).toEqual([13]);
  });

  it('are not returned if one of them is missing', () => {
    const recent = holding(batch(8, 9));
    expect([recent.takeBehind(6, 9), recent.takeBehind(7, 10)]).toEqual([null, null]);
    expect(positionsOf(recent.takeBehind(7, 9))).toEqual([8, 9]);
    recent.add(batch(11, 12));
    expect(recent.takeBehind(7, 12)).toBeNull();
    expect(positionsOf(holding(batch(8, 9), batch(11, 12)).takeBehind(10, 12))).toEqual([11, 12]);
  });

  it('are kept for a batch without effects only if other events precede it', () => {
    const administrative = (position: number): CommittedEvents => ({
      ...{ after: position - 1, records: [recorded(position, 'ApiKeyCreated')], effects: [] },
    });
    const recent = holding(administrative(1));
    expect([recent.bytes, recent.takeBehind(0, 1)]).toEqual([0, null]);
    recent.add(batch(2, 3));
    recent.add(administrative(4));
    recent.add(batch(5, 5));
    expect(recent.takeBehind(0, 5)).toBeNull();
    expect(positionsOf(recent.takeBehind(1, 5))).toEqual([2, 3, 4, 5]);
  });

  it.each(['UserIdentified', 'UsersSwept'])('are dropped with a %s whose effects are not kept', (type) => {
    const recent = holding(batch(1, 3));
    const fact = { type, ...(type === 'UsersSwept' ? { subjects: [4] } : { subject: 4 }) } as unknown as DomainEvent;
    const unasked = { after: 3, records: [{ ...recorded(4), fact }], effects: [] };
    recent.add(unasked);
    expect([recent.bytes, recent.takeBehind(0, 3)]).toEqual([0, null]);
    recent.add({ ...unasked, after: 4 });
    expect(recent.bytes).toBe(0);
  });

  it('give the effects of a sweep per user', () => {
    const effects = [4, 5].map((subject) => ({ position: 1, subject, effects: [CREATED, CREATED].slice(subject - 4) }));
    const recent = holding({ after: 0, records: [recorded(1, 'UsersSwept')], effects });
    expect([3, 4, 5].map((subject) => recent.effectsOf(1, subject)?.length)).toEqual([undefined, 2, 1]);
    expect(recent.effectsOf(2, 4)).toBeUndefined();
  });

  it.each(['CorrectionRecorded', 'UserErased'])('are dropped with a %s', (type) => {
    const recent = holding(batch(1, 3));
    recent.add({ after: 3, records: [recorded(4, type)], effects: [] });
    expect([recent.bytes, recent.takeBehind(0, 3), recent.effectsOf(3, 3)]).toEqual([0, null, undefined]);
    recent.add(batch(5, 5));
    expect(positionsOf(recent.takeBehind(4, 5))).toEqual([5]);
  });

  it('stay within their memory limit, dropping the oldest first', () => {
    const one = holding(batch(1, 1)).bytes;
    const recent = new RecentEvents(10 * one);
    for (const position of positions(1, 25)) recent.add(batch(position, position));
    expect(recent.bytes).toBe(10 * one);
    expect(recent.takeBehind(14, 25)).toBeNull();
    expect(positionsOf(recent.takeBehind(15, 25))).toEqual(positions(16, 25));
    recent.add(batch(26, 40));
    expect(recent.bytes).toBe(10 * one);
    expect(recent.effectsOf(31, 31)).toEqual([CREATED]);
    const large = { ...recorded(41), fact: { type: 'UserIdentified', subject: 41, name: 'x'.repeat(20 * one) } };
    recent.add({ ...batch(41, 41), records: [large as unknown as RecordedEvent] });
    expect([recent.bytes, recent.effectsOf(41, 41)]).toEqual([0, undefined]);
  });
});
