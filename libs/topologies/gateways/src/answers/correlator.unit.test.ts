import { jest } from '@jest/globals';
import { AREAS } from '@laurel/kernel';
import { VirtualClock, settled } from '@laurel/testing/clock';
import type { ProcessedOffsets } from './applied-check.ts';
import { boardsEffect, messageOf, outcome, userPart } from './effects.fixture.ts';
import { PendingAnswer } from './pending-answer.ts';
import { DEFAULT_CORRELATOR_OPTIONS, Correlator, NotTheOwnerError, type CorrelatorOptions } from './correlator.ts';

const LIMIT_MS = 10_000;
const { sections: ANSWER } = messageOf('e');
const PENDING_ALL = { eventId: 'e', sections: {}, pending: AREAS };
const ANSWER_ONLY = { eventId: 'e', sections: { ...ANSWER }, pending: ['leaderboards'] };
const complete = (...boards: readonly string[]) => ({
  eventId: 'e',
  sections: { ...ANSWER, leaderboards: { boards: boards.map(outcome) } },
  pending: [],
});

const ALL_APPLIED: ProcessedOffsets = { areApplied: (_partition, offsets) => Promise.resolve(offsets.map(() => true)) };

function setUp({
  applied = ALL_APPLIED,
  options = {},
}: { applied?: ProcessedOffsets; options?: Partial<CorrelatorOptions> } = {}) {
  const clock = new VirtualClock();
  const failures: unknown[] = [];
  const correlator = new Correlator(
    { applied, clock, onFailure: (error) => failures.push(error) },
    { ...DEFAULT_CORRELATOR_OPTIONS, ...options },
  );
  correlator.own([0, 1]);
  const gather = (eventIds: readonly string[] = ['e'], limitMs = LIMIT_MS) => correlator.gather(0, eventIds, limitMs);
  return { correlator, clock, failures, gather };
}

/** The offsets that the services have committed, as they are at the moment. */
function checkpoints() {
  const state = { next: [0, 0, 0], asked: [] as number[][], isReachable: true };
  const areApplied: ProcessedOffsets['areApplied'] = async (_partition, offsets) => {
    state.asked.push(offsets.map(([first = -1]) => first));
    if (!state.isReachable) throw new Error('no database');
    return offsets.map((offsets) => offsets.every((offset, place) => (state.next[place] ?? 0) > offset));
  };
  return Object.assign(state, { areApplied });
}

const isPending = async (promise: Promise<unknown>): Promise<boolean> => {
  await settled();
  return (await Promise.race([promise, Promise.resolve('pending')])) === 'pending';
};

describe('a request for several events', () => {
  it('is answered with the complete events and those that complete at the same moment', async () => {
    const { correlator } = setUp();
    const answer = correlator.gatherReady(0, ['e', 'f', 'g'], LIMIT_MS);
    correlator.take(0, [userPart('f'), userPart('g', { boards: [2] }), userPart('e')]);
    expect((await answer).map(({ eventId, pending }) => [eventId, pending])).toEqual([
      ['e', []],
      ['f', []],
    ]);
  });

  it('computes each result once, however many events become complete at the same moment', async () => {
    const { correlator } = setUp();
    const results = jest.spyOn(PendingAnswer.prototype, 'result');
    const eventIds = Array.from({ length: 50 }, (_, index) => `event ${index}`);
    const answer = correlator.gatherReady(0, eventIds, LIMIT_MS);
    correlator.take(
      0,
      eventIds.map((eventId) => userPart(eventId)),
    );
    expect(await answer).toHaveLength(50);
    expect(results).toHaveBeenCalledTimes(50);
    results.mockRestore();
  });

  it('is answered for all events at the limit when none is complete', async () => {
    const { correlator, clock } = setUp();
    const answer = correlator.gatherReady(0, ['e', 'f'], LIMIT_MS);
    await clock.advance(LIMIT_MS - 1);
    expect(await isPending(answer)).toBe(true);
    await clock.advance(1);
    expect((await answer).map(({ pending }) => pending)).toEqual([AREAS, AREAS]);
  });
});

describe('a request for an event', () => {
  it('is answered when the user part and the boards of each partition arrive after it', async () => {
    const { correlator, gather } = setUp();
    const answer = gather();
    correlator.take(0, [boardsEffect('e', 5, 'b')]);
    correlator.take(0, [userPart('e', { boards: [2, 5] })]);
    expect(await isPending(answer)).toBe(true);
    correlator.take(0, [boardsEffect('e', 2, 'a', 'c')]);
    expect(await answer).toEqual([complete('a', 'c', 'b')]);
  });

  it('is answered when the effects arrived before it, and again when it is repeated', async () => {
    const { correlator, gather, clock } = setUp();
    correlator.take(0, [userPart('e', { boards: [2] }), boardsEffect('e', 2, 'a')]);
    expect(await gather()).toEqual([complete('a')]);
    await clock.advance(1_000);
    expect(await gather()).toEqual([complete('a')]);
    expect(clock.timers).toBe(0);
  });

  it('is complete with the user part when the event touches no board', async () => {
    const { correlator, gather } = setUp();
    correlator.take(0, [userPart('e')]);
    expect(await gather()).toEqual([complete()]);
  });

  it('is answered with the first version of effects that arrive twice', async () => {
    const { correlator, gather } = setUp();
    correlator.take(0, [userPart('e', { boards: [2] }), boardsEffect('e', 2, 'a')]);
    correlator.take(0, [userPart('e', { boards: [2, 3] }), boardsEffect('e', 2, 'b')]);
    expect(await gather()).toEqual([complete('a')]);
    correlator.take(0, [userPart('e', { boards: [2] })]);
    expect(await gather()).toEqual([complete('a')]);
  });

  it('may be repeated by several callers, and each is answered', async () => {
    const { correlator, gather } = setUp();
    const answers = [gather(['e', 'e']), gather(), gather(['other', 'e'])];
    correlator.take(0, [userPart('e')]);
    expect(await answers[0]).toEqual([complete(), complete()]);
    expect(await answers[1]).toEqual([complete()]);
    expect(await isPending(answers[2] as Promise<unknown>)).toBe(true);
    correlator.take(0, [userPart('other')]);
    expect((await answers[2])?.map(({ eventId }) => eventId)).toEqual(['other', 'e']);
  });

  it('is answered for events named like properties of every object', async () => {
    const { correlator, gather } = setUp();
    const answer = gather(['__proto__', 'constructor']);
    correlator.take(0, [userPart('constructor'), userPart('__proto__')]);
    expect((await answer).map(({ pending }) => pending)).toEqual([[], []]);
  });
});

describe('a request at the limit', () => {
  it('has an event without effects pending in all areas', async () => {
    const { gather, clock } = setUp();
    const answer = gather();
    await clock.advance(LIMIT_MS);
    expect(await answer).toEqual([PENDING_ALL]);
  });

  it('shows the other areas of an event whose boards are missing', async () => {
    const { correlator, gather, clock } = setUp();
    const answer = gather();
    correlator.take(0, [userPart('e', { boards: [2, 3] }), boardsEffect('e', 2, 'a')]);
    await clock.advance(LIMIT_MS);
    expect(await answer).toEqual([ANSWER_ONLY]);
  });

  it('ignores boards without a user part', async () => {
    const { correlator, gather, clock } = setUp();
    const answer = gather();
    correlator.take(0, [boardsEffect('e', 2, 'a')]);
    await clock.advance(LIMIT_MS);
    expect(await answer).toEqual([PENDING_ALL]);
  });

  it('returns the complete events while other requests go on waiting', async () => {
    const { correlator, gather, clock } = setUp();
    const [hasty, patient] = [gather(['e', 'late'], 1_000), gather(['late'])];
    correlator.take(0, [userPart('e')]);
    await clock.advance(1_000);
    expect(await hasty).toEqual([complete(), { ...PENDING_ALL, eventId: 'late' }]);
    correlator.take(0, [userPart('late')]);
    expect((await patient)[0]?.pending).toEqual([]);
    expect(clock.timers).toBe(0);
  });

  it('shows what is known of an event that its services have not committed', async () => {
    const { correlator, gather, clock } = setUp({ applied: checkpoints() });
    const answer = gather();
    correlator.take(0, [userPart('e')]);
    await clock.advance(LIMIT_MS);
    expect(await answer).toEqual([complete()]);
  });
});

describe('the checkpoints of the services', () => {
  it('are awaited until all have passed the offsets of the event', async () => {
    const applied = checkpoints();
    const { correlator, gather, clock } = setUp({ applied });
    const answer = gather();
    correlator.take(0, [userPart('e', { trail: [4, 5, 6] })]);
    for (const next of [
      [5, 6, 6],
      [4, 6, 7],
      [5, 5, 7],
    ]) {
      applied.next = next;
      await clock.advance(50);
      expect(await isPending(answer)).toBe(true);
    }
    applied.next = [5, 6, 7];
    await clock.advance(50);
    expect(await answer).toEqual([complete()]);
    const { length } = applied.asked;
    await clock.advance(1_000);
    expect(applied.asked).toHaveLength(length);
  });

  it('are read once for all waiting events, and not again during a read', async () => {
    const asked: number[][] = [];
    const open: (() => void)[] = [];
    const applied: ProcessedOffsets = {
      areApplied: (_partition, offsets) => {
        asked.push(offsets.map(([first = -1]) => first));
        return new Promise((resolve) => open.push(() => resolve(offsets.map(() => true))));
      },
    };
    const { correlator, gather, clock } = setUp({ applied });
    const answers = [gather(['a', 'b']), gather(['c'])];
    correlator.take(0, [userPart('a', { trail: [1] }), userPart('b', { trail: [2] })]);
    await settled();
    correlator.take(0, [userPart('c', { trail: [3] })]);
    await clock.advance(100);
    expect(asked).toEqual([[1, 2]]);
    open[0]?.();
    await clock.advance(100);
    expect(asked).toEqual([[1, 2], [3]]);
    open[1]?.();
    expect((await Promise.all(answers)).flat().map(({ pending }) => pending)).toEqual([[], [], []]);
  });

  it('are read at once for a new event while others wait for a slow service', async () => {
    const applied = checkpoints();
    applied.next = [5, 5, 5];
    const { correlator, gather, clock } = setUp({ applied });
    const lagging = gather(['lagging']);
    correlator.take(0, [userPart('lagging', { trail: [9, 9, 9] })]);
    await clock.advance(50);
    correlator.take(0, [userPart('e', { trail: [4, 4, 4] })]);
    const answer = gather();
    await settled();
    expect(await isPending(answer)).toBe(false);
    expect(await isPending(lagging)).toBe(true);
  });

  it('are read while the boards have not arrived', async () => {
    const applied = checkpoints();
    applied.next = [9, 9, 9];
    const { correlator, gather } = setUp({ applied });
    const answer = gather();
    correlator.take(0, [userPart('e', { boards: [2] })]);
    await settled();
    const { length } = applied.asked;
    correlator.take(0, [boardsEffect('e', 2, 'a')]);
    expect(await answer).toEqual([complete('a')]);
    expect(applied.asked).toHaveLength(length);
  });

  it('are read again after the database was unreachable', async () => {
    const applied = checkpoints();
    applied.isReachable = false;
    applied.next = [9, 9, 9];
    const { correlator, gather, clock, failures } = setUp({ applied });
    const answer = gather();
    correlator.take(0, [userPart('e')]);
    await clock.advance(500);
    expect(failures.length).toBeGreaterThan(1);
    applied.isReachable = true;
    await clock.advance(200);
    expect(await answer).toEqual([complete()]);
  });

  it('are not read for events that nobody waits for', async () => {
    const applied = checkpoints();
    const { correlator, gather, clock } = setUp({ applied });
    correlator.take(0, [userPart('e')]);
    await clock.advance(1_000);
    expect(applied.asked).toEqual([]);
    await Promise.all([gather(['e'], 100), clock.advance(200)]);
    const { length } = applied.asked;
    await clock.advance(1_000);
    expect(applied.asked.length - length).toBeLessThanOrEqual(1);
  });
});

describe('effects that nobody waits for', () => {
  it('are kept for half a minute and then dropped', async () => {
    const { correlator, gather, clock } = setUp();
    correlator.take(0, [userPart('e')]);
    await clock.advance(29_999);
    expect(await gather()).toEqual([complete()]);
    await clock.advance(29_999);
    correlator.take(0, []);
    expect(correlator.size).toBe(1);
    await clock.advance(1);
    correlator.take(0, []);
    expect(correlator.size).toBe(0);
    const lost = gather(['e'], 10);
    await clock.advance(10);
    expect(await lost).toEqual([PENDING_ALL]);
  });

  it('are limited in number, the oldest dropped first, but never those that somebody waits for', async () => {
    const { correlator, gather } = setUp({ options: { mostKept: 100 } });
    const answer = gather(['awaited']);
    correlator.take(0, [userPart('awaited', { boards: [2] }), userPart('e')]);
    for (let n = 0; n < 500; n++) correlator.take(n % 2, [userPart(`event-${n}`)]);
    expect(correlator.size).toBe(101);
    expect((await gather(['event-499', 'event-400']))[1]?.pending).toEqual([]);
    correlator.take(0, [boardsEffect('awaited', 2, 'a')]);
    expect((await answer)[0]?.pending).toEqual([]);
  });

  it('include requested events that never arrived', async () => {
    const { correlator, gather, clock } = setUp({ options: { mostKept: 10 } });
    const answers = [...Array(50).keys()].map((n) => gather([`never-${n}`], 100));
    await clock.advance(100);
    await Promise.all(answers);
    correlator.take(0, []);
    expect(correlator.size).toBe(10);
  });
});

describe('a partition of the correlator', () => {
  it('is refused and its effects are dropped when this instance does not own it', async () => {
    const { correlator } = setUp();
    correlator.take(7, [userPart('e')]);
    expect(correlator.size).toBe(0);
    await expect(correlator.gather(7, ['e'], LIMIT_MS)).rejects.toBeInstanceOf(NotTheOwnerError);
  });

  it('is forgotten when it is released, and its callers are told at once', async () => {
    const { correlator, gather, clock } = setUp();
    correlator.take(0, [userPart('kept')]);
    correlator.take(1, [userPart('of another')]);
    const refused = gather(['kept', 'e']).catch((error: unknown) => error);
    const other = correlator.gather(1, ['f'], LIMIT_MS);
    correlator.release([0]);
    expect(await refused).toBeInstanceOf(NotTheOwnerError);
    expect(correlator.owns(0)).toBe(false);
    correlator.take(1, [userPart('f')]);
    expect((await other)[0]?.pending).toEqual([]);
    expect(correlator.size).toBe(2);
    expect(clock.timers).toBe(0);
  });

  it('keeps its effects when it is assigned again, and partitions not named are released', async () => {
    const { correlator, gather } = setUp();
    correlator.take(0, [userPart('e')]);
    correlator.take(1, [userPart('gone')]);
    correlator.own([0, 2]);
    expect([0, 1, 2].map((partition) => correlator.owns(partition))).toEqual([true, false, true]);
    expect(await gather()).toEqual([complete()]);
    expect(correlator.size).toBe(1);
  });
});
