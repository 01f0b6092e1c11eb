import fc from 'fast-check';

const MOST_ROUNDS = 20;

/**
 * Asserts a law over random inputs, in rounds of `numRuns`, until they have covered each of the cases that the law is about. A single
 * round may miss one by chance.
 * @throws Error if an input breaks the law, or if 20 rounds leave a case out: then the generator no longer makes it
 */
export async function assertCovering<Inputs>(
  law: fc.IRawProperty<Inputs>,
  { numRuns }: { readonly numRuns: number },
  covered: () => Readonly<Record<string, boolean>>,
): Promise<void> {
  const missing = () => Object.entries(covered()).flatMap(([name, isCovered]) => (isCovered ? [] : [name]));
  const { seed = 0 } = fc.readConfigureGlobal();
  for (let round = 0; round < MOST_ROUNDS; round++) {
    // With the same seed, each round would try the same inputs.
    // eslint-disable-next-line no-restricted-syntax
    await fc.assert(law as fc.IAsyncProperty<Inputs>, { numRuns, seed: seed + round });
    if (missing().length === 0) return;
  }
  throw new Error(`${MOST_ROUNDS * numRuns} random inputs do not cover: ${missing().join(', ')}`);
}
