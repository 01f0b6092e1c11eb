import { addDays } from '@laurel/calendar';
import type { PointsAward, PointsTrigger } from '@laurel/kernel';
import fc from 'fast-check';
import {
  at,
  awardsOf,
  configuration,
  every,
  type StoryEvent,
  HOUR,
  live,
  onAchievement,
  onCreation,
  onMetric,
  onStreak,
  pointsSystem,
  span,
  stateUnder,
  totalsOf,
} from './points.fixture.ts';
import { unrecordedAward } from './awards.ts';
import { pointsArea } from './points-area.ts';
import { dueChanges } from './rules/due/due-changes.ts';
import { newestTimeAwards } from './rules/due/newest-time-awards.ts';
import { tallyOf } from './rules/due/tally.ts';
import { debtOf } from './rules/points.ts';

const START = at('2024-03-29T12:00:00Z');

const points = fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: -30, max: -1 }));
const trigger: fc.Arbitrary<PointsTrigger> = fc.oneof(
  points.map((given) => onCreation(given)),
  fc.tuple(fc.constantFrom('commits', 'words'), fc.constantFrom(1, 3, 0.5), points).map((args) => onMetric(...args)),
  fc.tuple(fc.integer({ min: 1, max: 7 }), points).map((args) => onStreak(...args)),
  fc.tuple(fc.constantFrom('a', 'b'), points).map((args) => onAchievement(...args)),
  fc.tuple(fc.integer({ min: 1, max: 40 }), fc.constantFrom('hour', 'day'), points).map((args) => every(...args)),
);
const boundHour = fc.integer({ min: -10, max: 400 }).map((hours) => START + hours * HOUR);
const triggersOf = fc.uniqueArray(trigger, { selector: ({ id }) => id, maxLength: 6 });
const spanBounds = fc.record({
  from: fc.option(boundHour, { nil: -Infinity }),
  until: fc.option(boundHour, { nil: Infinity }),
});

const system = (key: string) =>
  fc
    .record({
      triggers: triggersOf,
      maxPoints: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
      bounds: fc.array(spanBounds, { minLength: 6, maxLength: 6 }),
    })
    .map(({ triggers, maxPoints, bounds }) => {
      const cap = maxPoints === undefined ? null : BigInt(maxPoints);
      const validityPeriods = triggers.flatMap((each, index) => {
        const { from, until } = bounds[index]!;
        return each.type === 'time' ? [span(each, cap, from, until)] : [];
      });
      return pointsSystem(key, triggers, { maxPoints, validityPeriods });
    });

const configurations = fc.tuple(system('xp'), system('__proto__')).map((systems) => configuration(systems));

const happening = fc.record({
  hours: fc.integer({ min: -5, max: 60 }),
  metric: fc.option(fc.tuple(fc.constantFrom('commits', 'words'), fc.constantFrom(1, 2, 7.5, 0, -3)), {
    nil: undefined,
  }),
  swept: fc.boolean(),
  zone: fc.option(fc.constantFrom('UTC', 'Asia/Tokyo', 'America/St_Johns', 'Europe/Berlin'), { nil: undefined }),
  extendedTo: fc.option(fc.integer({ min: 1, max: 14 }), { nil: undefined }),
  completed: fc.subarray(['a', 'b']),
});

/** Hours may go back (a late import), but not before the creation. */
const happenings: fc.Arbitrary<StoryEvent[]> = fc.array(happening, { minLength: 1, maxLength: 8 }).map((steps) => {
  let now = START;
  return steps.map(({ hours, swept, ...step }, index) => {
    now = index === 0 ? START : Math.max(START, now + hours * HOUR);
    return swept && index > 0 ? { at: now, swept } : { ...step, at: now, eventId: `event ${index}` };
  });
});

const sum = (awards: readonly PointsAward[]) => awards.reduce((total, { awarded }) => total + awarded, 0n);

/** Each sweep takes its place before the first record that is not earlier; one behind them all is left out. */
function withSweeps(steps: readonly StoryEvent[], instants: readonly number[]): StoryEvent[] {
  const swept = [...steps];
  for (const instant of instants) {
    const place = swept.findIndex((step, index) => index > 0 && step.at >= instant);
    if (place > 0) swept.splice(place, 0, { at: instant, swept: true });
  }
  return swept;
}

const latest = (steps: readonly StoryEvent[]) => Math.max(...steps.map((step) => step.at));
const law = <Inputs extends [unknown, ...unknown[]]>(
  arbitraries: { [Index in keyof Inputs]: fc.Arbitrary<Inputs[Index]> },
  holds: (...inputs: Inputs) => void | Promise<void>,
) =>
  fc.assert(
    fc.asyncProperty(...arbitraries, async (...inputs: Inputs) => holds(...inputs)),
    { numRuns: 300 },
  );

describe('the points of a user, for any history and configuration', () => {
  it('add up award by award, and stay between 0 and the cap', () =>
    law([configurations, happenings], (under, steps) => {
      const life = live(under, steps);
      for (const { key, maxPoints } of under.pointsSystems) {
        let total = 0n;
        for (const award of awardsOf(life).filter((each) => each.system === key)) {
          total += award.awarded;
          expect(award.awarded).not.toBe(0n);
          expect(award.total).toBe(total);
          expect(total >= 0n && (maxPoints === null || total <= maxPoints)).toBe(true);
        }
        expect(totalsOf(under, life).get(key) ?? 0n).toBe(total);
      }
    }));

  it('keep what was earned, which is the sum of the awards that gave points', () =>
    law([configurations, happenings], (under, steps) => {
      const life = live(under, steps);
      const { state, plan } = stateUnder(under, life);
      for (const [place, { key }] of plan.systems.entries()) {
        const given = awardsOf(life).filter(({ system, awarded }) => system === key && awarded > 0n);
        expect(BigInt(state.systems[place]?.earned ?? 0)).toBe(sum(given));
      }
    }));

  it('are the same with and without sweeps in between', () =>
    law([configurations, happenings, fc.array(fc.nat(400), { maxLength: 6 })], (under, steps, sweeps) => {
      const plain = live(under, steps);
      const swept = live(
        under,
        withSweeps(
          steps,
          sweeps.map((hours) => START + hours * HOUR),
        ),
      );
      expect(awardsOf(swept)).toEqual(awardsOf(plain));
      expect([...totalsOf(under, swept)]).toEqual([...totalsOf(under, plain)]);
    }));

  it('after a late import do not depend on a sweep that another points system caused', () => {
    const cause = pointsSystem('sys', [onCreation(10), every(1, 'hour', 1), onMetric('commits', 1, -4)], {
      maxPoints: 10,
    });
    const other = pointsSystem('other', [every(1, 'day', 1)]);
    const steps: StoryEvent[] = [
      { at: START, metric: ['words', 1] },
      { at: START + 96 * HOUR, swept: true },
      { at: START + 24 * HOUR + HOUR / 2, metric: ['commits', 1] },
      { at: START + 98 * HOUR, metric: ['words', 1] },
    ];
    const totalUnder = (systems: Parameters<typeof configuration>[0]) =>
      totalsOf(configuration(systems), live(configuration(systems), steps)).get('sys');
    expect(totalUnder([cause, other])).toBe(10n);
    expect(totalUnder([cause])).toBe(10n);
  });

  it('are the same whether they are settled in bounded chunks or at once', () =>
    law([configurations, happenings, fc.integer({ min: 1, max: 20 }), fc.nat(600)], (under, steps, atMost, hours) => {
      const last = latest(steps) + hours * HOUR;
      const sorted = steps.toSorted((a, b) => a.at - b.at);
      const whole = [...sorted, { at: last, swept: true }];
      const chunks: StoryEvent[] = [...sorted];
      for (let bound = -Infinity; bound < last;) {
        const before = live(under, chunks).state;
        bound = pointsArea.settleBound!(before, under, last, atMost);
        const given =
          awardsOf(live(under, [...chunks, { at: bound, swept: true }])).length - awardsOf(live(under, chunks)).length;
        const atOneInstant = under.pointsSystems.reduce(
          (most, { validityPeriods }) => most + validityPeriods.length,
          0,
        );
        expect(given).toBeLessThanOrEqual(Math.max(atMost, atOneInstant));
        if (bound < last) expect(given).toBeGreaterThan(0);
        chunks.push({ at: bound, swept: true });
      }
      expect(awardsOf(live(under, chunks))).toEqual(awardsOf(live(under, whole)));
    }));

  it('include, when read at an instant, the time awards that a sweep would record then', () =>
    law([configurations, happenings, fc.nat(500), fc.integer({ min: 1, max: 20 })], (under, steps, later, limit) => {
      const instant = latest(steps) + later * HOUR;
      const { state, plan } = stateUnder(under, live(under, steps));
      const swept = live(under, [...steps, { at: instant, swept: true }]).sections.at(-1)!.awards;
      expect(pointsArea.owed!({ state, plan }, under, instant)).toBe(swept.length);
      for (const [place, { key }] of under.pointsSystems.entries()) {
        const due = swept.filter((award) => award.system === key);
        const debt = debtOf(state, place, plan, instant);
        const read = newestTimeAwards(debt, limit).map((award) => unrecordedAward(award));
        const recorded = due.slice(-limit).map(({ id, triggerId, awarded, total: then, at: when }) => {
          return { id, triggerId, awarded, total: then, at: when };
        });
        expect(read).toEqual(recorded);
        const tally = tallyOf(debt);
        expect([BigInt(tally.total), tally.awards]).toEqual([due.at(-1)?.total ?? BigInt(debt.total), due.length]);
        expect(BigInt(tally.earned)).toBe(sum(due.filter(({ awarded }) => awarded > 0n)));
      }
    }));

  it('change a summary by the same amounts before and after due awards are recorded', () =>
    law([configurations, happenings, fc.nat(500), fc.nat(20), fc.nat(40)], (under, steps, later, skipped, days) => {
      const instant = latest(steps) + later * HOUR;
      const { state, plan } = stateUnder(under, live(under, steps));
      const swept = live(under, [...steps, { at: instant, swept: true }]).sections.at(-1)!.awards;
      const from = addDays('2024-03-20', skipped);
      const range = { from, to: addDays(from, days) };
      for (const [place, { key }] of under.pointsSystems.entries()) {
        const due = swept.filter((award) => award.system === key);
        const within = due.filter(({ date }) => from <= date && date <= range.to);
        const changes = dueChanges(debtOf(state, place, plan, instant), state.zone, range);
        expect(changes.before).toBe(sum(due.filter(({ date }) => date < from)));
        for (const [date, change] of changes.byDate)
          expect(change).toBe(sum(within.filter((award) => award.date === date)));
        expect([...changes.byDate.keys()].sort()).toEqual([...new Set(within.map(({ date }) => date))].sort());
      }
    }));

  it('next fall due at the instant of the first award that a sweep would give', () =>
    law([configurations, happenings], (under, steps) => {
      const { state } = live(under, steps);
      const horizon = latest(steps) + 2_000 * HOUR;
      const first = live(under, [...steps, { at: horizon, swept: true }]).sections.at(-1)!.awards[0]?.at ?? null;
      const next = pointsArea.dueAt!(state, under);
      expect(next !== null && next <= horizon ? next : null).toBe(first);
    }));

  it('have award ids that do not depend on the order of triggers in the configuration', () =>
    law([triggersOf, happenings], (triggers, steps) => {
      const ids = (order: readonly PointsTrigger[]) =>
        awardsOf(
          live(
            configuration([
              pointsSystem(
                'xp',
                order.filter((each) => each.points > 0n),
              ),
            ]),
            steps,
          ),
        )
          .map(({ id }) => id)
          .sort();
      expect(ids(triggers.toReversed())).toEqual(ids(triggers));
    }));
});
