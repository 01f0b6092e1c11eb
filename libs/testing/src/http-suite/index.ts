export { type Answer, Client, type Exchange, type HttpSuiteTarget, type Json, newUserId } from './client.ts';
export { HTTP_SUITE_CONFIGURATION } from './configuration.ts';
export { describeHttpSuite } from './describe-http-suite.ts';
export { describeExplainedNumbers, patientReader } from './describe-explained-numbers.ts';
export { explainedNumbers } from './explained-numbers.ts';
export { FROZEN_FIELDS } from './frozen-fields.ts';
export { LiveStream, type Seen } from './live-stream.ts';
export { ADA, ADAS_COURSE, ADAS_KEY, ADAS_SECRETS, foundIn } from './user-to-erase.ts';
