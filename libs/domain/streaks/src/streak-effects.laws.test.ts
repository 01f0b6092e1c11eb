import type { StreakEffect } from '@laurel/kernel';
import fc from 'fast-check';
import { decodeStreakEffects, encodeStreakEffects } from './streak-effects.ts';

const EVENT = { occurredAt: Date.parse('2024-03-29T23:30:00.123Z') };
const TODAY = Math.floor(EVENT.occurredAt / 86_400_000);

const at = fc.constantFrom(0, -1, -86_400_000, 5).map((later) => EVENT.occurredAt + later);
const period = fc.constantFrom(0, 1, -1, -30).map((later) => TODAY + later);
const length = fc.integer({ min: 1, max: 5_000 });
const one = <Type extends StreakEffect['type']>(type: Type) => fc.constant(type);
const after = fc.record({ startedOn: period, expiresOn: period, held: fc.nat(3) });
const effect: fc.Arbitrary<StreakEffect> = fc.oneof(
  fc.record(
    { type: one('StreakStarted'), at, length: fc.constant(1 as const), period, after },
    { requiredKeys: ['type', 'at', 'length', 'period'] },
  ),
  fc.record(
    { type: one('StreakExtended'), at, length, period, after },
    { requiredKeys: ['type', 'at', 'length', 'period'] },
  ),
  fc.record({ type: one('StreakRevived'), at, length }),
  fc.record(
    { type: one('StreakEnded'), at, length, generation: fc.nat(9), byErasure: fc.constant(true as const) },
    { requiredKeys: ['type', 'at', 'length', 'generation'] },
  ),
  fc.record(
    { type: one('FreezeEarned'), earned: length, held: length, earnedAt: at },
    { requiredKeys: ['type', 'earned', 'held'] },
  ),
  fc.record({ type: one('FreezesGranted'), granted: length, held: length }),
  fc.record(
    { type: one('FreezeUsed'), at, period, length, held: fc.nat(3) },
    { requiredKeys: ['type', 'at', 'period', 'length'] },
  ),
  fc.record({ type: one('PeriodSkipped'), period, length }),
  fc.record({ type: one('PeriodExcused'), period, length }),
  fc.record({ type: one('StreakRejoined'), at, length, joined: length }),
  fc.record({
    ...{ type: one('StreakAtRisk'), at, period, length, startedOn: period, extendedAt: at, expiresAt: at },
    ...{ expiresOn: period, held: fc.nat(3) },
    missing: fc.array(fc.record({ metric: fc.constantFrom('commits', '__proto__'), amount: fc.nat() }), {
      maxLength: 3,
    }),
  }),
);

describe('stored effects on streaks', () => {
  it('are read as they were written', () => {
    fc.assert(
      fc.property(fc.array(effect, { maxLength: 5 }), (caused) => {
        const stored = encodeStreakEffects(caused, EVENT);
        expect(stored === null ? [] : decodeStreakEffects(stored, EVENT)).toEqual(caused);
      }),
    );
  });

  it('are as they are documented, without those of other areas', () => {
    const [now, day] = [EVENT.occurredAt, TODAY];
    const caused: StreakEffect[] = [
      { type: 'StreakEnded', at: now - 9, length: 4, generation: 2 },
      { type: 'StreakStarted', at: now, length: 1, period: day },
      { type: 'StreakExtended', at: now, length: 7, period: day - 3 },
      { type: 'FreezeEarned', earned: 1, held: 2 },
      { type: 'StreakEnded', at: now, length: 7, generation: 2, byErasure: true },
    ];
    const others = [{ type: 'UserCreated', at: now }] as const;
    expect(encodeStreakEffects([...others, ...caused], EVENT)).toBe(
      '[["ended",4,2,-9],["started"],["extended",7,-3],["earned",1,2],["ended",7,2,0,1]]',
    );
    expect(encodeStreakEffects(others, EVENT)).toBeNull();
  });

  it('say how the event left the streak, if they were told, behind what they say otherwise', () => {
    const [now, day] = [EVENT.occurredAt, TODAY];
    const told: StreakEffect[] = [
      { type: 'FreezeUsed', at: now - 9, period: day - 1, length: 6, held: 0 },
      {
        ...{ type: 'StreakExtended', at: now, length: 7, period: day },
        after: { startedOn: day - 7, expiresOn: day + 1, held: 0 },
      },
    ];
    expect(encodeStreakEffects(told, EVENT)).toBe('[["used",6,-1,-9,1],["extended",7,0,0,1,-7,1]]');
  });
});
