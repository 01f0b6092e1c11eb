import { isZoneName, parseInstant } from '@laurel/calendar';
import fc from 'fast-check';
import { demoHistory, RUN_ATTRIBUTE, runOf, type DemoPlan } from './demo-history.ts';

const DAY_MS = 86_400_000;

const plans: fc.Arbitrary<DemoPlan> = fc.record({
  seed: fc.oneof(fc.nat(10), fc.maxSafeNat()),
  users: fc.integer({ min: 1, max: 6 }),
  days: fc.integer({ min: 1, max: 70 }),
  // Also in the middle of a day, and around changes of the clocks.
  until: fc.integer({ min: Date.parse('2026-03-01T00:00:00Z'), max: Date.parse('2026-12-31T00:00:00Z') }),
});

const keysOf = (plan: DemoPlan) => demoHistory(plan).map(({ user, idempotencyKey }) => `${user.id} ${idempotencyKey}`);

describe('the history of a demo', () => {
  it('is the same for the same plan', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        expect(demoHistory({ ...plan })).toEqual(demoHistory(plan));
      }),
      { numRuns: 20 },
    );
  });

  it('is ordered by time and within its days', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const instants = demoHistory(plan).map(({ timestamp }) => parseInstant(timestamp) ?? NaN);
        expect(instants).toEqual([...instants].sort((one, other) => one - other));
        for (const at of instants) expect(plan.until - plan.days * DAY_MS <= at && at < plan.until).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  it('has unique keys, and other keys for another plan', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const keys = keysOf(plan);
        expect(new Set(keys).size).toBe(keys.length);
        for (const other of [{ seed: plan.seed + 1 }, { days: plan.days + 1 }, { until: plan.until + 1 }]) {
          const others = new Set(keysOf({ ...plan, ...other }));
          expect(keys.some((key) => others.has(key))).toBe(false);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('with more users contains the same history', () => {
    fc.assert(
      fc.property(plans, fc.integer({ min: 1, max: 5 }), (plan, more) => {
        const ids = new Set(demoHistory(plan).map(({ user }) => user.id));
        const larger = demoHistory({ ...plan, users: plan.users + more });
        expect(larger.filter(({ user }) => ids.has(user.id))).toEqual(demoHistory(plan));
      }),
      { numRuns: 20 },
    );
  });

  it('names every user once with zone and run, and contains each change of zone', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const zones = new Map<string, string>();
        for (const { user } of demoHistory(plan)) {
          const before = zones.get(user.id);
          expect(user.name !== undefined).toBe(before === undefined);
          if (before === undefined) expect(user.attributes).toEqual({ [RUN_ATTRIBUTE]: runOf(plan) });
          if (before === undefined || user.tz !== undefined) expect(isZoneName(user.tz ?? '')).toBe(true);
          expect(user.tz).not.toBe(before);
          zones.set(user.id, user.tz ?? before ?? '');
        }
      }),
      { numRuns: 20 },
    );
  });
});
