import { shared } from './jest.config.mjs';

/** A database behind a real PgBouncer: `npm run test:pooler`. */
export default {
  ...shared,
  testMatch: ['<rootDir>/{apps,libs}/**/*.pooler.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/.*/dist/'],
  maxWorkers: 1,
};
