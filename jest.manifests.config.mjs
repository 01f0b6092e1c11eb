import { shared } from './jest.config.mjs';

/** The manifests as the real kustomize renders them: `npm run test:manifests`. */
export default {
  ...shared,
  testMatch: ['<rootDir>/tools/**/*.manifests.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/.*/dist/'],
  maxWorkers: 1,
};
