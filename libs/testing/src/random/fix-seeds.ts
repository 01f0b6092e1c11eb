// Jest runs this before each test file (`setupFilesAfterEnv`): every law gets a seed derived from its file and its
// name.
import fc from 'fast-check';
import { runningTest } from './running-test.ts';
import { seedOf } from './seed-of.ts';

// eslint-disable-next-line no-restricted-properties
const fixSeed = (): void => fc.configureGlobal({ seed: seedOf(...runningTest()) });

fixSeed();
beforeEach(fixSeed);
