import { createHash } from 'node:crypto';

/** Fixed, so that the same commit gives the same result. Every random choice of the tests follows from it. */
const SEED_OF_THE_REPOSITORY = 20_261_121;
const LARGEST = 2 ** 32 - 1;

/** @throws RangeError if `LAUREL_TEST_SEED` is set and is no seed */
export function testSeed(given = process.env['LAUREL_TEST_SEED']): number {
  if (given === undefined) return SEED_OF_THE_REPOSITORY;
  if (/^\d{1,10}$/.test(given) && Number(given) <= LARGEST) return Number(given);
  throw new RangeError(`LAUREL_TEST_SEED must be a whole number from 0 to ${LARGEST}, got "${given}"`);
}

/**
 * A seed for what the names say, the same in each run with the same `LAUREL_TEST_SEED`.
 * @returns a whole number of 32 bits, signed as fast-check's seeds are
 */
export const seedOf = (...names: readonly string[]): number =>
  createHash('sha256')
    .update(JSON.stringify([testSeed(), ...names]))
    .digest()
    .readInt32BE(0);
