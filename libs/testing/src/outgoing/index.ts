export {
  correctLatest,
  erase,
  importPast,
  publish,
  type RequestedCorrection,
  type PastImport,
} from './requested-corrections.ts';
export {
  expectedAt,
  faultsIn,
  inWords,
  outOfOrder,
  type Arrival,
  type RequestedEndpoint,
  type Expected,
} from './judge.ts';
export { PatientClient, type PatientAnswer, type PatientOptions } from './patient-client.ts';
export { Receiver } from './receiver.ts';
export { recount, type Asked, type ShownLog } from './recount.ts';
export { startSending, type SendingOptions, type SendingStandalone } from './sending-standalone.ts';
export { shownLog, timelineOf, type Timelines } from './shown-log.ts';
export { suiteAsks, suiteConfiguration } from './suite-configuration.ts';
export { until } from './until.ts';
