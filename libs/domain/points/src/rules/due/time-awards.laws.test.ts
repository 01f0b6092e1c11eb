import { add, exactOf, type Exact } from '@laurel/amounts';
import fc from 'fast-check';
import { every, pointsSystem, span } from '../../points.fixture.ts';
import { newestTimeAwards } from './newest-time-awards.ts';
import { cutToRoom } from '../award/room.ts';
import { spansOf, type TriggerPeriod } from './schedule.ts';
import { tallyOf } from './tally.ts';
import { timeAwards, type Debt } from './time-awards.ts';

const points = fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: -30, max: -1 }));
const cap = fc.option(fc.bigInt({ min: 1n, max: 60n }), { nil: null });
const bound = fc.integer({ min: -50, max: 400 });

/** Small whole numbers stand for ms, so that ticks fall together and spans begin and end on them; points are small or beyond a double. */
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

const given = (spanFields: ReturnType<typeof spans>): fc.Arbitrary<Debt> =>
  fc
    .record({
      fields: spanFields,
      createdAt: fc.integer({ min: -50, max: 50 }),
      after: fc.integer({ min: 0, max: 200 }),
      length: fc.integer({ min: -5, max: 400 }),
      total: fc.bigInt({ min: 0n, max: 80n }),
      scale: fc.constantFrom(1n, 10n ** 15n),
    })
    .map(({ fields, createdAt, after, length, total, scale }) => {
      const triggers = fields.map((field, index) => ({
        ...every(1, 'hour', field.points, `trigger ${index}`),
        points: BigInt(field.points) * scale,
        everyMs: field.everyMs,
      }));
      const validityPeriods = fields.map(({ maxPoints, from, length: lasting }, index) =>
        span(triggers[index]!, maxPoints && maxPoints * scale, from, from === -Infinity ? lasting : from + lasting),
      );
      const definition = pointsSystem('energy', triggers, { validityPeriods });
      return {
        createdAt,
        spans: spansOf(definition, 0),
        window: { after: createdAt + after, upTo: createdAt + after + length },
        total: exactOf(total * scale),
      };
    });

const anyGiven = fc.oneof(
  given(spans(points, cap)),
  given(spans(fc.integer({ min: 1, max: 30 }), fc.constant(60n))),
  given(spans(fc.integer({ min: 1, max: 30 }), fc.constant(null))),
  given(spans(fc.integer({ min: -30, max: -1 }), fc.constant(60n))),
);

/** The rule as the specification says it: every tick of every trigger, one after the other. */
function oneByOne({ createdAt, spans: all, window, total }: Debt) {
  const ticks: { at: number; span: TriggerPeriod }[] = [];
  for (const each of all) {
    for (let at = createdAt + each.everyMs; at <= window.upTo; at += each.everyMs) {
      if (at > window.after && each.from <= at && at < each.until) ticks.push({ at, span: each });
    }
  }
  ticks.sort((a, b) => a.at - b.at || a.span.order - b.span.order);
  let current = total;
  return ticks.flatMap(({ at, span: each }) => {
    const awarded = cutToRoom(each.points, current, each.maxPoints);
    current = add(current, awarded);
    return awarded === 0 ? [] : [{ span: each, at, awarded, total: current }];
  });
}

describe('due time awards', () => {
  it('equal the awards found by visiting every due instant', () => {
    fc.assert(
      fc.property(anyGiven, (debt) => {
        expect([...timeAwards(debt)]).toEqual(oneByOne(debt));
      }),
      { numRuns: 1_000 },
    );
  });

  it('have the total, the points earned and the number that the closed form computes', () => {
    fc.assert(
      fc.property(anyGiven, (debt) => {
        const awards = oneByOne(debt);
        const earned = awards.reduce<Exact>((sum, { awarded }) => (awarded > 0 ? add(sum, awarded) : sum), 0);
        expect(tallyOf(debt)).toEqual({ total: awards.at(-1)?.total ?? debt.total, earned, awards: awards.length });
      }),
      { numRuns: 1_000 },
    );
  });

  it('end with the awards that newestTimeAwards returns, whatever the limit', () => {
    fc.assert(
      fc.property(anyGiven, fc.integer({ min: 0, max: 20 }), (debt, limit) => {
        const newest = newestTimeAwards(debt, limit);
        expect(newest).toEqual(limit === 0 ? [] : oneByOne(debt).slice(-limit));
      }),
      { numRuns: 1_000 },
    );
  });

  it('are the same in one step and in two', () => {
    fc.assert(
      fc.property(anyGiven, fc.nat(400), (debt, part) => {
        const { after, upTo } = debt.window;
        const cut = Math.min(after + part, Math.max(after, upTo));
        const first = [...timeAwards({ ...debt, window: { after, upTo: cut } })];
        const then = first.at(-1)?.total ?? debt.total;
        const second = timeAwards({ ...debt, window: { after: cut, upTo }, total: then });
        expect([...first, ...second]).toEqual([...timeAwards(debt)]);
      }),
    );
  });
});
