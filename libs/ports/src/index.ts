export * from './clock.ts';
export * from './corrections.ts';
export * from './counter-table.ts';
export * from './directory.ts';
export { describeLowSpace, isLow, type FileSystemSpace } from './disk-space.ts';
export * from './effects-table.ts';
export * from './error-code.ts';
export * from './failing.ts';
export * from './intake.ts';
export * from './monthly-changes.ts';
export * from './explain-reads.ts';
export * from './live-reads.ts';
export * from './reads.ts';
export * from './server-answer.ts';
export * from './stream.ts';
export {
  CHAIN_SERVICES,
  GATEWAYS,
  OUTCOMES_TOPIC,
  OUTGOING_SERVICE,
  serviceOf,
  stepNamed,
  stepOf,
  stepsOf,
  stepText,
  TOPICS,
  USER_SERVICES,
  writerOf,
  type ChainServiceEntry,
  type ChainServiceName,
  type ChainServiceSchema,
  type ChainStep,
} from './topology.ts';
