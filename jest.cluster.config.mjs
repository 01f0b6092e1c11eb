import { shared } from './jest.config.mjs';

/** The distributed topology on a cluster of three brokers: `npm run test:cluster`. They alone fill a small machine. */
export default {
  ...shared,
  testMatch: ['<rootDir>/{apps,libs,tools}/**/*.cluster.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/.*/dist/'],
  maxWorkers: 1,
};
