import { shared } from './jest.config.mjs';

/** Faults of processes, disks and networks: `npm run test:faults`. Two files at a time, because most of the time is spent waiting. */
export default {
  ...shared,
  testMatch: ['<rootDir>/{apps,libs,tools}/**/*.faults.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/.*/dist/'],
  maxWorkers: 2,
};
