import { shared } from './jest.config.mjs';

/** The built console in a headless browser: `npm run test:standalone-console`. */
export default {
  ...shared,
  testMatch: ['<rootDir>/apps/**/*.browser.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/.*/dist/'],
  maxWorkers: 1,
};
