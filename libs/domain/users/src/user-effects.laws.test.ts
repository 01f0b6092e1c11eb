import { exactOf } from '@laurel/amounts';
import type { UserEffect } from '@laurel/kernel';
import fc from 'fast-check';
import { decodeUserEffects, encodeUserEffects } from './user-effects.ts';
import { configuration, PROTO } from './users.fixture.ts';

const EVENT = { occurredAt: Date.parse('2024-03-29T23:30:00.123Z') };
const TODAY = Math.floor(EVENT.occurredAt / 86_400_000);
const { names } = configuration;

const amount = fc.oneof(
  fc.integer(),
  fc.integer({ min: -9_000_000, max: 9_000_000 }).map((whole) => whole * 1_000_000),
  fc.bigInt(-(10n ** 30n), 10n ** 30n).map(exactOf),
);
const day = fc.integer({ min: TODAY - 1, max: TODAY + 1 });
const at = fc.constantFrom(0, -1, -3_600_000).map((later) => EVENT.occurredAt + later);
const zone = fc.constantFrom('UTC', 'Asia/Tokyo', 'America/St_Johns');
const effect: fc.Arbitrary<UserEffect> = fc.oneof(
  fc.constant({ type: 'UserCreated' as const, at: EVENT.occurredAt }),
  fc.record({ type: fc.constant('ZoneChanged' as const), from: zone, to: zone }),
  fc.record({ type: fc.constant('UserBecameActive' as const), day }),
  fc.record({
    type: fc.constant('ReactivationDue' as const),
    at,
    message: fc.integer({ min: 1, max: 9 }),
    days: fc.nat(400),
  }),
  fc
    .record({
      at,
      end: day,
      totals: fc.array(fc.record({ metric: fc.constantFrom(PROTO, 'commits'), total: amount }), { maxLength: 2 }),
    })
    .map(({ at, end, totals }) => ({ type: 'RecapDue' as const, at, periodStart: end - 6, periodEnd: end, totals })),
  fc.record({
    type: fc.constant('MetricTotalChanged' as const),
    metric: fc.constantFrom(PROTO, 'commits'),
    change: amount,
    total: amount,
    day,
  }),
);

describe('stored effects on users', () => {
  it('are read as they were written', () => {
    fc.assert(
      fc.property(fc.array(effect, { maxLength: 5 }), (caused) => {
        const stored = encodeUserEffects(caused, EVENT, names);
        expect(stored === null ? [] : decodeUserEffects(stored, EVENT, names)).toEqual(caused);
      }),
    );
  });

  it('are as they are documented, without those of other areas', () => {
    const caused: UserEffect[] = [
      { type: 'UserCreated', at: EVENT.occurredAt },
      { type: 'ZoneChanged', from: 'UTC', to: 'Asia/Tokyo' },
      { type: 'UserBecameActive', day: TODAY + 1 },
      { type: 'MetricTotalChanged', metric: 'commits', change: 2_000_000, total: 2_500_000, day: TODAY + 1 },
      { type: 'MetricTotalChanged', metric: PROTO, change: -1_000_000, total: 0, day: TODAY },
    ];
    const others = [{ type: 'StreakRevived', at: 0, length: 1 }] as const;
    expect(encodeUserEffects([...caused, ...others], EVENT, names)).toBe(
      '[["created"],["zone","UTC","Asia/Tokyo"],["active",1],[2,2,"2.5",1],[1,-1,0]]',
    );
    expect(encodeUserEffects(others, EVENT, names)).toBeNull();
  });
});
