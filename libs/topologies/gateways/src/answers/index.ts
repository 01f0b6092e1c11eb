export { AnswerClient } from './answer-client.ts';
export { answerHandlers } from './answer-handlers.ts';
export {
  areasBehind,
  waitUntilApplied,
  type AppliedEvent,
  type AppliedPositions,
  type PartitionProgress,
} from './applied-positions.ts';
export { PostgresAppliedPositions } from './postgres-applied-positions.ts';
export type { Viewed } from './answer-requests.ts';
export { sectionsOf, type Gathered } from './gathered.ts';
export { Correlator } from './correlator.ts';
export { PostgresProcessedOffsets } from './postgres-processed-offsets.ts';
export { view, viewUser } from './view.ts';
