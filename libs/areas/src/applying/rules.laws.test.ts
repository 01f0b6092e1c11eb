import { applied, lives, live, projected } from '@laurel/testing';
import fc from 'fast-check';

describe('the rules of the areas, against their projections', () => {
  it('give the same rows, views, ranks and states for any life of an account', async () => {
    await fc.assert(
      fc.asyncProperty(lives, fc.boolean(), async (steps, stored) => {
        const { records } = await live(steps, 7);
        const expected = await projected(records);
        const outcomes = await applied(records, { stored });
        for (const [index, outcome] of outcomes.entries()) expect(outcome).toEqual(expected[index]);
        expect(outcomes).toHaveLength(expected.length);
      }),
      { numRuns: 150 },
    );
  });
});
