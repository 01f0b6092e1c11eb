import fc from 'fast-check';
import { every, pointsSystem, span } from '../points.fixture.ts';
import { cutToRoom } from './cut-to-room.ts';
import { newestTimeAwards } from './newest-time-awards.ts';
import { timeAwards } from './time-awards.ts';
import { type OrderedSpan, scheduleOf, type TimeSchedule, type Window } from './time-schedule.ts';
import { timeTally } from './time-tally.ts';

interface Given {
  readonly schedule: TimeSchedule;
  readonly window: Window;
  readonly total: bigint;
}

const points = fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: -30, max: -1 }));
const cap = fc.option(fc.bigInt({ min: 1n, max: 60n }), { nil: null });
const bound = fc.integer({ min: -50, max: 400 });

/** Small whole numbers stand for ms, so that ticks fall together and spans begin and end on them. */
const spans = (sign: fc.Arbitrary<number>, caps: fc.Arbitrary<bigint | null>) =>
  fc.array(
    fc.record({
      everyMs: fc.integer({ min: 1, max: 40 }),
      points: sign,
      maxPoints: caps,
      from: fc.option(bound, { nil: -Infinity }),
      length: fc.option(fc.integer({ min: 0, max: 200 }), { nil: Infinity }),
    }),
    { maxLength: 5 },
  );

const given = (spanFields: ReturnType<typeof spans>): fc.Arbitrary<Given> =>
  fc
    .record({
      fields: spanFields,
      createdAt: fc.integer({ min: -50, max: 50 }),
      after: fc.integer({ min: 0, max: 200 }),
      length: fc.integer({ min: -5, max: 400 }),
      total: fc.bigInt({ min: 0n, max: 80n }),
    })
    .map(({ fields, createdAt, after, length, total }) => {
      const triggers = fields.map((field, index) => ({
        ...every(1, 'hour', field.points, `trigger ${index}`),
        everyMs: field.everyMs,
      }));
      const timeSpans = fields.map(({ maxPoints, from, length: lasting }, index) =>
        span(triggers[index]!, maxPoints, from, from === -Infinity ? lasting : from + lasting),
      );
      const definition = pointsSystem('energy', triggers, { timeSpans });
      return {
        schedule: scheduleOf(definition, createdAt),
        window: { after: createdAt + after, upTo: createdAt + after + length },
        total,
      };
    });

const anyGiven = fc.oneof(
  given(spans(points, cap)),
  given(spans(fc.integer({ min: 1, max: 30 }), fc.constant(60n))),
  given(spans(fc.integer({ min: 1, max: 30 }), fc.constant(null))),
  given(spans(fc.integer({ min: -30, max: -1 }), fc.constant(60n))),
);

/** The rule as the specification says it: every tick of every trigger, one after the other. */
function oneByOne({ schedule, window, total }: Given) {
  const ticks: { at: number; span: OrderedSpan }[] = [];
  for (const each of schedule.spans) {
    for (let at = schedule.createdAt + each.trigger.everyMs; at <= window.upTo; at += each.trigger.everyMs) {
      if (at > window.after && each.from <= at && at < each.until) ticks.push({ at, span: each });
    }
  }
  ticks.sort((a, b) => a.at - b.at || a.span.order - b.span.order);
  let current = total;
  return ticks.flatMap(({ at, span: { trigger, maxPoints } }) => {
    const awarded = cutToRoom(trigger.points, current, maxPoints);
    current += awarded;
    return awarded === 0n ? [] : [{ trigger, at, awarded, total: current }];
  });
}

describe('due time awards', () => {
  it('are those that a walk over every tick gives', () => {
    fc.assert(
      fc.property(anyGiven, (g) => {
        expect([...timeAwards(g.schedule, g.window, g.total)]).toEqual(oneByOne(g));
      }),
      { numRuns: 1_000 },
    );
  });

  it('lead to the total and number that the closed form tells', () => {
    fc.assert(
      fc.property(anyGiven, (g) => {
        const awards = oneByOne(g);
        expect(timeTally(g.schedule, g.window, g.total)).toEqual({
          total: awards.at(-1)?.total ?? g.total,
          awards: awards.length,
        });
      }),
      { numRuns: 1_000 },
    );
  });

  it('end with the newest few, however few are asked for', () => {
    fc.assert(
      fc.property(anyGiven, fc.integer({ min: 0, max: 20 }), (g, limit) => {
        const newest = newestTimeAwards(g.schedule, g.window, g.total, limit);
        expect(newest).toEqual(limit === 0 ? [] : oneByOne(g).slice(-limit));
      }),
      { numRuns: 1_000 },
    );
  });

  it('are the same in one step and in two', () => {
    fc.assert(
      fc.property(anyGiven, fc.nat(400), (g, part) => {
        const cut = Math.min(g.window.after + part, Math.max(g.window.after, g.window.upTo));
        const first = [...timeAwards(g.schedule, { after: g.window.after, upTo: cut }, g.total)];
        const then = first.at(-1)?.total ?? g.total;
        const second = timeAwards(g.schedule, { after: cut, upTo: g.window.upTo }, then);
        expect([...first, ...second]).toEqual([...timeAwards(g.schedule, g.window, g.total)]);
      }),
    );
  });
});
