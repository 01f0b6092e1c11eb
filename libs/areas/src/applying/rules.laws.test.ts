import type { LogRecord } from '@laurel/contracts';
import { lives, live, onDrafts, onMessages } from '@laurel/testing/histories';
import fc from 'fast-check';

const drivings = fc.record({
  batch: fc.integer({ min: 1, max: 12 }),
  stored: fc.boolean(),
  dropped: fc.boolean(),
});

/** Gateways that lag behind publications: each event carries some version that had been published. */
const lags = fc.array(fc.nat(20), { minLength: 1, maxLength: 10 });

const lagging = (records: readonly LogRecord[], by: readonly number[]): readonly LogRecord[] =>
  records.map((record, index) =>
    record.fact.type === 'ConfigurationPublished'
      ? record
      : {
          ...record,
          configurationVersion: Math.max(1, record.configurationVersion - (by[index % by.length] as number)),
        },
  );

describe('a life of an account', () => {
  it('is the same on messages between services as on drafts in one process', async () => {
    await fc.assert(
      fc.asyncProperty(lives, fc.boolean(), drivings, async (steps, stored, driving) => {
        const { records } = await live(steps, 7);
        await expectEqual(records, stored, driving);
      }),
      { numRuns: 120 },
    );
  }, 180_000);

  it('is the same in whatever order versions of the configuration follow each other', async () => {
    await fc.assert(
      fc.asyncProperty(lives, lags, fc.boolean(), drivings, async (steps, by, stored, driving) => {
        const { records } = await live(steps, 7);
        await expectEqual(lagging(records, by), stored, driving);
      }),
      { numRuns: 80 },
    );
  }, 180_000);
});

async function expectEqual(
  records: readonly LogRecord[],
  stored: boolean,
  driving: Parameters<typeof onDrafts>[1],
): Promise<void> {
  const expected = await onMessages(records, { stored });
  const { outcomes, standings } = await onDrafts(records, driving);
  for (const [index, outcome] of outcomes.entries()) expect(outcome).toEqual(expected.outcomes[index]);
  expect(outcomes).toHaveLength(expected.outcomes.length);
  expect(standings).toEqual(expected.standings);
}
