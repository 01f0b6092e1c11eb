import { createHash } from 'node:crypto';

/** Fixed, so that the same commit gives the same result. All random choices of the tests are derived from it. */
const SEED_OF_THE_REPOSITORY = 20_261_121;
const LARGEST = 2 ** 32 - 1;

/** @throws RangeError if `LAUREL_TEST_SEED` is set but is not a seed */
export function testSeed(given = process.env['LAUREL_TEST_SEED']): number {
  if (given === undefined) return SEED_OF_THE_REPOSITORY;
  if (/^\d{1,10}$/.test(given) && Number(given) <= LARGEST) return Number(given);
  throw new RangeError(`LAUREL_TEST_SEED must be a whole number from 0 to ${LARGEST}, got "${given}"`);
}

/**
 * A seed derived from these names, the same in each run with the same `LAUREL_TEST_SEED`.
 * @returns a whole number of 32 bits, signed like fast-check's seeds
 */
export const seedOf = (...names: readonly string[]): number =>
  createHash('sha256')
    .update(JSON.stringify([testSeed(), ...names]))
    .digest()
    .readInt32BE(0);
