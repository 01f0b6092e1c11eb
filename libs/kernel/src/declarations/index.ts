export type { AnswerField, Field, Fields } from './field.ts';
export {
  POINTS_TRIGGER_TYPES,
  TRIGGER_MISSES,
  pointsTriggerFields,
  pointsTriggerKind,
  type AnsweredFields,
  type AnyPointsTriggerKind,
  type PointsTriggerType,
  type TriggerMiss,
  type WrittenTrigger,
} from './points-triggers.ts';
