export {
  ACHIEVEMENT_TRIGGER_TYPES,
  NEXT_COMPLETIONS,
  achievementTriggerFields,
  achievementTriggerKind,
  type AchievementTriggerType,
  type AnsweredAchievementTrigger,
  type NextCompletion,
  type WrittenAchievementTrigger,
} from './achievement-triggers.ts';
export * from './effects/index.ts';
export type { AnswerField, Field, Fields, NamedAchievement } from './field.ts';
export type { HeldObject, OutcomeField, OutcomeKind, OutcomeSetting } from './outcome-kind.ts';
export { OUTCOMES, outcomeKind, type EventOf, type FieldsOf, type OutcomeType } from './outcomes.ts';
export {
  POINTS_TRIGGER_TYPES,
  TRIGGER_MISSES,
  pointsTriggerFields,
  pointsTriggerKind,
  type AnsweredPointsTrigger,
  type PointsTriggerType,
  type TriggerMiss,
  type WrittenTrigger,
} from './points-triggers.ts';
