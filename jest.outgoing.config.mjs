import { shared } from './jest.config.mjs';

/** What receivers are sent, over kills of the built service and of the receiver: `npm run test:outgoing`. */
export default {
  ...shared,
  testMatch: ['<rootDir>/apps/**/*.outgoing.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/.*/dist/'],
  testTimeout: 900_000,
  maxWorkers: 1,
};
