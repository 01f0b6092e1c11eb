import { shared } from './jest.config.mjs';

/** Tests that need a real Kafka broker, which they start themselves: `npm run test:distributed`. One at a time: each fills the machine. */
export default {
  ...shared,
  testMatch: ['<rootDir>/{apps,libs,tools}/**/*.{kafka,distributed}.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/.*/dist/'],
  testTimeout: 900_000,
  maxWorkers: 1,
};
