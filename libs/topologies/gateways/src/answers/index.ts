export { AnswerClient, type EventsOfUser } from './answer-client.ts';
export { answerHandlers, type AnswerHandlersDependencies } from './answer-handlers.ts';
export {
  areasBehind,
  waitUntilApplied,
  type AppliedEvent,
  type AppliedPositions,
  type PartitionProgress,
} from './applied-positions.ts';
export { PostgresAppliedPositions } from './postgres-applied-positions.ts';
export type { Viewed, ViewCall } from './answer-requests.ts';
export type { ProcessedOffsets } from './applied-check.ts';
export { sectionsOf, type Gathered } from './gathered.ts';
export {
  DEFAULT_CORRELATOR_OPTIONS,
  Correlator,
  type CorrelatorOptions,
  type CorrelatorDependencies,
} from './correlator.ts';
export { PostgresProcessedOffsets } from './postgres-processed-offsets.ts';
export { view, viewUser, type ViewDependencies } from './view.ts';
