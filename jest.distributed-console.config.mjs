import { shared } from './jest.config.mjs';

/** The built console in a headless browser, before all processes of the distributed topology: `npm run test:distributed-console`. */
export default {
  ...shared,
  testMatch: ['<rootDir>/apps/**/*.distributed-browser.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/.*/dist/'],
  maxWorkers: 1,
};
