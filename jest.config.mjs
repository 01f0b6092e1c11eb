/** What all suites share: sources are resolved through the `@laurel/source` condition, so no build is needed. */
export const shared = {
  testMatch: ['<rootDir>/{apps,libs,tools}/**/*.test.ts'],
  // Those that need a broker are in jest.distributed.config.mjs, or three in jest.cluster.config.mjs,
  // or secured ones in jest.secured.config.mjs; faults in jest.faults.config.mjs;
  // what receivers are sent in jest.outgoing.config.mjs; a database behind PgBouncer in jest.pooler.config.mjs;
  // manifests as kustomize renders them in jest.manifests.config.mjs;
  // a browser, in jest.console.config.mjs and jest.distributed-console.config.mjs.
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/.*/dist/',
    '\\.(?:kafka|secured|distributed|cluster|faults|outgoing|pooler|manifests|browser|distributed-browser)\\.test\\.ts$',
  ],
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          keepClassNames: true,
          experimental: { keepImportAssertions: true },
        },
        module: { type: 'es6' },
      },
    ],
  },
  // Random choices follow from a fixed seed.
  setupFilesAfterEnv: ['<rootDir>/libs/testing/src/random/fix-seeds.ts'],
  // Packages and the sources of libraries are loaded once per worker, everything else once per test file (tools/jest/README.md).
  runtime: '<rootDir>/tools/jest/runtime.mjs',
  testEnvironment: '<rootDir>/tools/jest/environment.mjs',
  testEnvironmentOptions: { customExportConditions: ['@laurel/source', 'node', 'node-addons'] },
  // For what hangs. Starting a service takes long where others have the processor.
  testTimeout: 300_000,
  maxWorkers: 2,
  // Modules stay in memory from file to file: a worker is replaced long before it reaches the limit of Node.
  workerIdleMemoryLimit: '2GB',
};

/** One configuration for every project: `npm test`. */
export default {
  ...shared,
  globalSetup: '<rootDir>/tools/jest/memory-folder.mjs',
};
