import { effectsOfType, type RecordedEvent } from '@laurel/kernel';
import { inSteps, live, lives } from '@laurel/testing/histories';
import { assertCovering } from '@laurel/testing/laws';
import fc from 'fast-check';

interface StoredPoints {
  readonly systems: readonly (readonly [
    key: string,
    total: string,
    settledTo: number,
    sums: unknown,
    level?: unknown,
    earned?: string,
  ])[];
}

/** What awards have given each user in each system, added up event by event, and how often it is not the total. */
async function expectEarned(records: readonly RecordedEvent[]): Promise<number> {
  const given = new Map<string, bigint>();
  let apart = 0;
  const { applied } = await inSteps(records, { cuts: [], stored: false });
  for (const { occasion, effects, states } of applied) {
    for (const { system, triggerId, awarded } of effectsOfType(effects, 'PointsAwarded')) {
      const key = `${occasion.subject} ${system}`;
      if (awarded > 0 && triggerId !== 'refund') given.set(key, (given.get(key) ?? 0n) + BigInt(awarded));
    }
    const { systems } = states['points'] as StoredPoints;
    for (const [system, total, , , , earned = total] of systems) {
      expect([system, BigInt(earned)]).toEqual([system, given.get(`${occasion.subject} ${system}`) ?? 0n]);
      if (earned !== total) apart++;
    }
  }
  return apart;
}

describe('the points that a user has earned', () => {
  it('are the sum of the awards that gave points, with time awards and grants, without refunds', async () => {
    let apart = 0;
    await assertCovering(
      fc.asyncProperty(lives, async (steps) => {
        const { records } = await live(steps, 7);
        apart += await expectEarned(records);
      }),
      { numRuns: 120 },
      () => ({ apart: apart > 100 }),
    );
  });
});
