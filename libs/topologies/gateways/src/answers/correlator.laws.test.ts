import type { EffectMessage } from '@laurel/ports';
import fc from 'fast-check';
import { VirtualClock, settled } from '@laurel/testing/clock';
import { boardsEffect, userPart } from './effects.fixture.ts';
import type { Gathered } from './gathered.ts';
import { Correlator, NotTheOwnerError } from './correlator.ts';

const LIMIT_MS = 10_000;
const PARTITION = 0;

/** An event, and the partitions of boards that it goes to. */
const events = fc.uniqueArray(
  fc.record({ eventId: fc.constantFrom('a', 'b', 'c', 'd', '__proto__'), boards: fc.subarray([0, 1, 2]) }),
  { selector: ({ eventId }) => eventId, minLength: 1 },
);
type Event = { readonly eventId: string; readonly boards: readonly number[] };

const effectsOf = ({ eventId, boards }: Event, offset: number): readonly EffectMessage[] => [
  userPart(eventId, { boards, trail: [offset] }),
  ...boards.map((partition) => boardsEffect(eventId, partition, `board ${partition}`)),
];

/** What happens, in any order: each effect arrives (some twice), questions are asked, the services get on, time passes. */
type Step =
  | { readonly do: 'take'; readonly effects: readonly EffectMessage[] }
  | { readonly do: 'ask'; readonly eventIds: readonly string[] }
  | { readonly do: 'commit'; readonly next: number }
  | { readonly do: 'wait'; readonly ms: number };

const histories = events.chain((some) => {
  const effects = some.flatMap((event, offset) => effectsOf(event, offset));
  const ids = fc.array(fc.constantFrom(...some.map(({ eventId }) => eventId)), { minLength: 1, maxLength: 4 });
  const others: fc.Arbitrary<Step> = fc.oneof(
    ids.map((eventIds) => ({ do: 'ask', eventIds }) as const),
    fc.nat(some.length).map((next) => ({ do: 'commit', next }) as const),
    fc.nat(500).map((ms) => ({ do: 'wait', ms }) as const),
    fc.subarray(effects).map((again) => ({ do: 'take', effects: again }) as const),
  );
  const takes = effects.map((effect): Step => ({ do: 'take', effects: [effect] }));
  return fc
    .array(others, { minLength: 1, maxLength: 12 })
    .chain((more) => fc.shuffledSubarray([...takes, ...more], { minLength: takes.length + more.length }))
    .map((steps) => ({ some, steps }));
});

function setUp() {
  const clock = new VirtualClock();
  const state = { next: 0 };
  const applied = {
    areApplied: async (_partition: number, offsets: readonly (readonly number[])[]) => {
      await settled();
      return offsets.map(([offset = -1]) => state.next > offset);
    },
  };
  const correlator = new Correlator({ applied, clock, onFailure: () => undefined });
  correlator.own([PARTITION]);
  return { clock, state, correlator };
}

const shown = ({ eventId, sections, pending }: Gathered) => ({
  eventId,
  pending,
  completed: sections.achievements?.completed.map(({ key }) => key),
  boards: sections.leaderboards?.boards.map(({ key }) => key).toSorted(),
});

const expected = (some: readonly Event[], eventId: string) => ({
  eventId,
  pending: [],
  completed: [`of ${eventId}`],
  boards: some.find((event) => event.eventId === eventId)?.boards.map((partition) => `board ${partition}`),
});

describe('the correlator, whatever the order of requests, effects and checkpoints,', () => {
  it('answers every request with all of its events as soon as these are complete', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async ({ some, steps }) => {
        const { clock, state, correlator } = setUp();
        const requests: { readonly eventIds: readonly string[]; readonly answer: Promise<readonly Gathered[]> }[] = [];
        for (const step of steps) {
          if (step.do === 'take') correlator.take(PARTITION, step.effects);
          if (step.do === 'commit') state.next = Math.max(state.next, step.next);
          if (step.do === 'wait') await clock.advance(step.ms);
          if (step.do === 'ask')
            requests.push({
              eventIds: step.eventIds,
              answer: correlator.gather(PARTITION, step.eventIds, LIMIT_MS),
            });
        }
        state.next = some.length;
        await clock.advance(50);
        for (const { eventIds, answer } of requests)
          expect((await Promise.race([answer, settled().then(() => [])])).map(shown)).toEqual(
            eventIds.map((eventId) => expected(some, eventId)),
          );
        expect(clock.timers).toBe(0);
        await clock.advance(30_000);
        correlator.take(PARTITION, []);
        expect(correlator.size).toBe(0);
      }),
      { numRuns: 300 },
    );
  });

  it('answers each event once as soon as it is complete when the rest is requested again', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async ({ some, steps }) => {
        const { clock, state, correlator } = setUp();
        const requests: { readonly eventIds: readonly string[]; readonly answered: unknown[] }[] = [];
        const askFor = async (eventIds: readonly string[], answered: unknown[]): Promise<void> => {
          const ready = await correlator.gatherReady(PARTITION, eventIds, LIMIT_MS);
          expect(ready.length).toBeGreaterThan(0);
          answered.push(...ready.map(shown));
          const left = eventIds.filter((eventId) => !ready.some((one) => one.eventId === eventId));
          if (left.length > 0) await askFor(left, answered);
        };
        for (const step of steps) {
          if (step.do === 'take') correlator.take(PARTITION, step.effects);
          if (step.do === 'commit') state.next = Math.max(state.next, step.next);
          if (step.do === 'wait') await clock.advance(step.ms);
          if (step.do !== 'ask' || step.eventIds.length === 0) continue;
          const request = { eventIds: [...new Set(step.eventIds)], answered: [] };
          requests.push(request);
          void askFor(request.eventIds, request.answered);
        }
        state.next = some.length;
        // Each answer may take another look at the checkpoints.
        for (const _ of some) await clock.advance(50);
        await settled();
        for (const { eventIds, answered } of requests) {
          const wanted = eventIds.map((eventId) => expected(some, eventId));
          expect(answered).toHaveLength(wanted.length);
          expect(answered).toEqual(expect.arrayContaining(wanted));
        }
        expect(clock.timers).toBe(0);
      }),
      { numRuns: 300 },
    );
  });

  it('never answers before the services commit, nor after the limit or the loss of the partition', async () => {
    await fc.assert(
      fc.asyncProperty(histories, fc.boolean(), async ({ some, steps }, isLost) => {
        const { clock, state, correlator } = setUp();
        let answered = 0;
        const requests: Promise<unknown>[] = [];
        for (const step of steps) {
          if (step.do === 'take') correlator.take(PARTITION, step.effects);
          if (step.do !== 'ask') continue;
          const answer = correlator.gather(PARTITION, step.eventIds, LIMIT_MS);
          requests.push(answer.then(() => answered++).catch((error: unknown) => error));
        }
        await clock.advance(LIMIT_MS - 1);
        expect([state.next, answered]).toEqual([0, 0]);
        if (isLost) correlator.release([PARTITION]);
        else await clock.advance(1);
        const ends = await Promise.all(requests);
        expect(ends.every((end) => end instanceof NotTheOwnerError)).toBe(isLost || requests.length === 0);
        await clock.advance(100);
        expect(clock.timers).toBe(0);
        expect(correlator.size).toBeLessThanOrEqual(isLost ? 0 : some.length);
      }),
      { numRuns: 100 },
    );
  });
});
