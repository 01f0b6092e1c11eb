import { achievementsArea } from '@laurel/achievements';
import { isPointsRequest, tablesOf, type AnyUserArea, type RecordedEvent } from '@laurel/kernel';
import { pointsArea } from '@laurel/points';
import { streaksArea } from '@laurel/streaks';
import { inSteps, lesson, live, lives, rowsOfEffects, type Cutting } from '@laurel/testing/histories';
import { usersArea } from '@laurel/users';
import fc from 'fast-check';
import { USER_AREAS } from '../user-areas.ts';

/** Every way to cut the chain: before any of the areas but the first, the leaderboards included. */
const cuttings = fc.record({ cuts: fc.subarray(USER_AREAS.map((_, place) => place + 1)), stored: fc.boolean() });

/** Gateways that lag behind publications: each event carries some version that had been published. */
const lags = fc.array(fc.nat(20), { minLength: 1, maxLength: 10 });

const lagging = (records: readonly RecordedEvent[], by: readonly number[]): readonly RecordedEvent[] =>
  records.map((record, index) =>
    // Nobody asks for points of a system that no version has named.
    record.fact.type === 'ConfigurationPublished' || isPointsRequest(record.fact)
      ? record
      : {
          ...record,
          configurationVersion: Math.max(1, record.configurationVersion - (by[index % by.length] as number)),
        },
  );

describe('the outcomes of any sequence of events', () => {
  it('are the same in one process as in several services that exchange messages', async () => {
    await fc.assert(
      fc.asyncProperty(lives, cuttings, async (steps, cutting) => {
        const { records } = await live(steps, 7);
        await expectEqual(records, cutting);
      }),
      { numRuns: 120 },
    );
  });

  it('are the same if events carry versions that lag behind the publications', async () => {
    await fc.assert(
      fc.asyncProperty(lives, lags, cuttings, async (steps, by, cutting) => {
        const { records } = await live(steps, 7);
        await expectEqual(lagging(records, by), cutting);
        await expectRowsOfEffects(lagging(records, by));
      }),
      { numRuns: 80 },
    );
  });

  it('stores the rows that follow from the effects of its events', async () => {
    await fc.assert(
      fc.asyncProperty(lives, async (steps) => {
        const { records } = await live(steps, 7);
        await expectRowsOfEffects(records);
      }),
      { numRuns: 120 },
    );
  });

  it('finds a wrong row of an area', async () => {
    const { records } = await live([{ type: 'submit', afterMs: 0, commands: [lesson('ada')] }], 7);
    const areas = USER_AREAS.map((area) => (area.name === 'users' ? withWrongRow(area, 'user_counts') : area));
    await expectRowsOfEffects(records);
    await expect(expectRowsOfEffects(records, areas)).rejects.toThrow();
  });
});

/** The areas whose rows `rowsOfEffects` makes. */
const TABLES = tablesOf([achievementsArea, pointsArea, streaksArea, usersArea]).map(({ name }) => `${name} `);
const isOfRules = (row: string): boolean => ['rank_changes ', ...TABLES].some((table) => row.startsWith(table));

async function expectEqual(records: readonly RecordedEvent[], cutting: Cutting): Promise<void> {
  const expected = await inSteps(records, { cuts: [], stored: false });
  const stepped = await inSteps(records, cutting);
  expect(stepped.outcomes).toEqual(expected.outcomes);
  expect(stepped.sections).toEqual(expected.sections);
  expect(stepped.standings).toEqual(expected.standings);
}

async function expectRowsOfEffects(
  records: readonly RecordedEvent[],
  areas: readonly AnyUserArea[] = USER_AREAS,
): Promise<void> {
  const { outcomes, applied } = await inSteps(records, { cuts: [], stored: false, areas });
  for (const [index, event] of applied.entries())
    expect(outcomes[index]?.rows.filter(isOfRules)).toEqual(rowsOfEffects(event));
}

/** The area with a wrong count in the first row of a table. */
const withWrongRow = (area: AnyUserArea, table: string): AnyUserArea => ({
  ...area,
  rows: (draft, step, answerPart) => {
    const rows = area.rows(draft, step, answerPart);
    const [first, ...rest] = rows.get(table) ?? [];
    return first === undefined ? rows : new Map([...rows, [table, [{ ...first, users: 2 }, ...rest]]]);
  },
});
