import { assertCovering } from '@laurel/testing/laws';
import fc from 'fast-check';
import { addFreezes, freezesAt, lastEarnedAt, useFreeze, type FreezeAccount } from './freeze-account.ts';

const DAY_MS = 86_400_000;
const CREATED = Date.parse('2024-03-01T07:13:00Z');

const terms = fc.record({
  max: fc.integer({ min: 1, max: 9 }),
  earnEvery: fc.integer({ min: 1, max: 5 }),
  earn: fc.integer({ min: 1, max: 3 }),
  since: fc.constant(null),
});
const later = fc.integer({ min: 0, max: 40 * 24 }).map((hours) => hours * 3_600_000);

describe('lastEarnedAt', () => {
  it('returns the first instant at which as many freezes were held as now', async () => {
    let seen = 0;
    await assertCovering(
      fc.property(terms, fc.nat(3), later, fc.boolean(), later, (given, initial, changedAfter, isUsed, lookedAfter) => {
        const opened: FreezeAccount = { held: Math.min(initial, given.max), asOf: CREATED, terms: given };
        const changedAt = CREATED + changedAfter;
        const isHeld = freezesAt(opened, CREATED, changedAt) > 0;
        const account =
          isUsed && isHeld ? useFreeze(opened, CREATED, changedAt) : addFreezes(opened, CREATED, changedAt, 1);
        const at = account.asOf + lookedAfter;
        const held = freezesAt(account, CREATED, at);
        if (held === account.held) return;
        seen += 1;
        const earnedAt = lastEarnedAt(account, CREATED, at);
        expect((earnedAt - CREATED) % (given.earnEvery * DAY_MS)).toBe(0);
        expect([freezesAt(account, CREATED, earnedAt), freezesAt(account, CREATED, earnedAt - 1) < held]).toEqual([
          held,
          true,
        ]);
      }),
      { numRuns: 1_000 },
      () => ({ seen: seen > 300 }),
    );
  });
});
