import { achievementsArea } from '@laurel/achievements';
import { tablesOf, type RecordedEvent } from '@laurel/kernel';
import { pointsArea } from '@laurel/points';
import { streaksArea } from '@laurel/streaks';
import { inSteps, live, lives, onDrafts, type Cutting } from '@laurel/testing/histories';
import { usersArea } from '@laurel/users';
import fc from 'fast-check';
import { USER_AREAS } from '../user-areas.ts';

const drivings = fc.record({
  batch: fc.integer({ min: 1, max: 12 }),
  stored: fc.boolean(),
  dropped: fc.boolean(),
});

/** Every way to cut the chain: before any of the areas but the first, the leaderboards included. */
const cuttings = fc.record({ cuts: fc.subarray(USER_AREAS.map((_, place) => place + 1)), stored: fc.boolean() });

/** Gateways that lag behind publications: each event carries some version that had been published. */
const lags = fc.array(fc.nat(20), { minLength: 1, maxLength: 10 });

const lagging = (records: readonly RecordedEvent[], by: readonly number[]): readonly RecordedEvent[] =>
  records.map((record, index) =>
    record.fact.type === 'ConfigurationPublished'
      ? record
      : {
          ...record,
          configurationVersion: Math.max(1, record.configurationVersion - (by[index % by.length] as number)),
        },
  );

describe('a life of an account', () => {
  it('is the same in one process as in several steps with encoded messages in between', async () => {
    await fc.assert(
      fc.asyncProperty(lives, cuttings, drivings, async (steps, cutting, driving) => {
        const { records } = await live(steps, 7);
        await expectEqual(records, cutting, driving);
      }),
      { numRuns: 120 },
    );
  });

  it('is the same in whatever order versions of the configuration follow each other', async () => {
    await fc.assert(
      fc.asyncProperty(lives, lags, cuttings, drivings, async (steps, by, cutting, driving) => {
        const { records } = await live(steps, 7);
        await expectEqual(lagging(records, by), cutting, driving);
      }),
      { numRuns: 80 },
    );
  });
});

/** `onDrafts` makes the rows of these areas in a way of its own. */
const TABLES = tablesOf([achievementsArea, pointsArea, streaksArea, usersArea]).map(({ name }) => `${name} `);
const isOfRules = (row: string): boolean => ['rank_changes ', ...TABLES].some((table) => row.startsWith(table));

/** One step, many, and the rules alone, whose rows are made of the effects in another way. */
async function expectEqual(
  records: readonly RecordedEvent[],
  cutting: Cutting,
  driving: Parameters<typeof onDrafts>[1],
): Promise<void> {
  const expected = await inSteps(records, { cuts: [], stored: false });
  const stepped = await inSteps(records, cutting);
  const { outcomes, standings } = await onDrafts(records, driving);
  for (const [index, outcome] of expected.outcomes.entries()) {
    expect(stepped.outcomes[index]).toEqual(outcome);
    expect(stepped.sections[index]).toEqual(expected.sections[index]);
    expect(outcomes[index]).toEqual({ ...outcome, rows: outcome.rows.filter(isOfRules) });
  }
  expect([stepped.outcomes.length, outcomes.length]).toEqual(Array(2).fill(expected.outcomes.length));
  expect(stepped.standings).toEqual(expected.standings);
  expect(standings).toEqual(expected.standings);
}
