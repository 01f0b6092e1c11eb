import distributed from './jest.distributed.config.mjs';

/** Brokers that ask for TLS, SASL, OAuth or client certificates, which the tests start themselves: `npm run test:secured`. */
export default { ...distributed, testMatch: ['<rootDir>/libs/**/*.secured.test.ts'] };
