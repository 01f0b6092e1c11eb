export { importPast, publish, type PastImport } from './asked-changes.ts';
export { expectedAt, faultsIn, inWords, outOfOrder, type Arrival, type AskedEndpoint, type Expected } from './judge.ts';
export { PatientClient, type PatientAnswer } from './patient-client.ts';
export { Receiver } from './receiver.ts';
export { recount, type Asked, type ShownLog } from './recount.ts';
export { randomOf } from './random-of.ts';
export { shownLog, timelineOf } from './shown-log.ts';
export { suiteAsks, suiteConfiguration } from './suite-configuration.ts';
