export { AnswerClient, type EventsOfUser } from './answer-client.ts';
export { answerHandlers, type AnswerHandlersParts } from './answer-handlers.ts';
export {
  areasBehind,
  waitUntilApplied,
  type AppliedEvent,
  type AppliedPositions,
  type PartitionProgress,
} from './applied-positions.ts';
export { PostgresAppliedPositions } from './postgres-applied-positions.ts';
export type { Viewed, ViewQuestion } from './answer-questions.ts';
export type { ProcessedOffsets } from './applied-check.ts';
export { sectionsOf, type Gathered } from './gathered.ts';
export { DEFAULT_GATHERER_OPTIONS, Gatherer, type GathererOptions, type GathererParts } from './gatherer.ts';
export { PostgresProcessedOffsets } from './postgres-processed-offsets.ts';
export { view, viewUser, type ViewParts } from './view.ts';
