export { Client, type HttpSuiteTarget, newUserId } from './client.ts';
export { HTTP_SUITE_CONFIGURATION } from './configuration.ts';
export { describeFurtherHttpSuite, describeHttpSuite } from './describe-http-suite.ts';
export { FROZEN_FIELDS } from './frozen-fields.ts';
