// The vocabulary: events, effects, commands, and their declarations.
export { type Subject, NOBODY, type UserRef, userKey } from './subject.ts';
export {
  type UserFields,
  type KeyHash,
  type DomainEvent,
  type UserEvent,
  type AccountEvent,
  type ApiKeyEvent,
  type RunEvent,
  type MetricEventRecorded,
  type GrantRecorded,
  type Grant,
  type DaysExcused,
  type CorrectionRecorded,
  MOST_CORRECTED_EVENTS,
  type EventCorrection,
  type EventRetraction,
  type EventAmendment,
  type UserErased,
  type ErasedFrom,
  type Attribution,
  type ImportOpened,
  type ImportClosed,
  type ConfigurationPublished,
  type ApiKeyCreated,
  type ApiKeyRevoked,
  type WebhookChanged,
  type DomainEventType,
  DOMAIN_EVENT_TYPES,
  type NewRecord,
  type RecordedEvent,
} from './events.ts';
export { isPointsRequest, MOST_POINTS_MOVED } from './points-requests.ts';
export type { DecidedRequest, PointsRequest, RefundRequested } from './points-requests.ts';
export type { RequestDecided, SpendRequested, Verdict } from './points-requests.ts';
export { BOOST_ROUNDINGS, BOOST_STATUSES, boostStatus, MOST_BOOSTS_HELD } from './boost.ts';
export type { Boost, BoostDefinition, BoostedPoints } from './boost.ts';
export type { BoostEvent, BoostGrant } from './boost-events.ts';
export {
  type Effect,
  type UserEffect,
  type StreakEffect,
  type AchievementEffect,
  type PointsEffect,
  type EffectType,
  type RecapDue,
  type ReactivationDue,
  type StreakEnded,
  type StreakAtRisk,
  type PointsAwarded,
  type LevelChanged,
  type RankChanged,
  effectsOfType,
  declaredEffect,
  effectKind,
} from './effects.ts';
export { BUILT_IN_TRIGGERS, CORRECTION_TRIGGER, GRANT_TRIGGER, REFUND_TRIGGER, SPEND_TRIGGER } from './effects.ts';
export { isBuiltInTrigger, type BuiltInTrigger } from './effects.ts';
export { EFFECT_COLUMNS } from './effect-columns.ts';
export type { StoredEffect } from './compile-effect.ts';
export { builtInNumber, NUMBERS_PER_BUILT_IN, systemOfTriggerNumber } from './stored-values.ts';
export {
  type UserCommand,
  type KeyedCommand,
  type RecordMetricEvent,
  type IdentifyUser,
  type CompleteAchievement,
  type GiveGrant,
  type RequestPoints,
  type EraseUser,
  type PublishConfiguration,
  type SweepUsers,
  type OpenImport,
  type CloseImport,
  isKeyed,
  type ImportedEvent,
  isImported,
  viewedBy,
  fieldsOf,
  type CommandResult,
  type Recorded,
  type Replayed,
  type Refused,
  MOST_OWED_AWARDS,
} from './commands.ts';
export {
  ACHIEVEMENT_TRIGGER_TYPES,
  NEXT_COMPLETIONS,
  achievementProgress,
} from './declarations/achievement-triggers.ts';
export { achievementTriggerFields, achievementTriggerKind } from './declarations/achievement-triggers.ts';
export { nextCompletion, type NextCompletion } from './declarations/achievement-triggers.ts';
export type { AchievementProgress, AchievementStanding } from './declarations/achievement-triggers.ts';
export type { AchievementTriggerType, AnsweredAchievementTrigger } from './declarations/achievement-triggers.ts';
export type { WrittenAchievementTrigger } from './declarations/achievement-triggers.ts';
export type { EffectField, EffectValues, StreakAfter } from './declarations/effects/effect-field.ts';
export type { EffectNaming } from './declarations/effects/effect-kind.ts';
export type { AnswerField, Field, Fields, NamedAchievement } from './declarations/field.ts';
export type { OutcomeField, OutcomeSetting } from './declarations/outcome-kind.ts';
export { OUTCOMES, outcomeKind, type EventOf, type FieldsOf, type OutcomeType } from './declarations/outcomes.ts';
export {
  POINTS_TRIGGER_TYPES,
  TRIGGER_MISSES,
  pointsTriggerFields,
  pointsTriggerKind,
  type AnsweredPointsTrigger,
  type PointsTriggerType,
  type TriggerMiss,
  type WrittenTrigger,
} from './declarations/points-triggers.ts';
export { areMet, conditionsInWords, requiredAttributes, requiresEvent, requiresUser } from './conditions.ts';
export type { Condition, Conditions, HashedAttribute, RequiredAttribute } from './conditions.ts';
export type { WrittenAttributes, WrittenConditions } from './conditions.ts';
export { judgedMetrics, judgesStreak } from './judged-achievements.ts';
export { ACTIVITY_STATUSES, boundedWindow, isActiveAt, statusAt, type ActiveWindow } from './active-window.ts';
export { CAP_PERIODS, type CapPeriod, type PointsCap, type WrittenCap } from './points-cap.ts';
export {
  OUTCOME_TYPES,
  TYPES_OF_ALL,
  storedEntries,
  ALWAYS_MADE,
  madeTypes,
  effectsOfOutcome,
  outcomesOfEvent,
  outcomesWithSetting,
  makesOutcomes,
  LATEST_REMINDER_MS,
} from './outcome-types.ts';

// Configurations, compiled.
export { ACCOUNT } from './account.ts';
export {
  type Configuration,
  type ConfigurationHistory,
  type OutgoingDefinition,
  type AwardTriggerType,
  type AwardFilter,
  type Metric,
  type StreakDefinition,
  type FreezeTermsSince,
  type FreezeDefinition,
  type AchievementDefinition,
  type AchievementTrigger,
  type PointsSystemDefinition,
  type PointsTrigger,
  type TimeTrigger,
  everyMs,
  type TimeTriggerValidity,
  type PointsLevel,
  type RunUnit,
  type LeaderboardDefinition,
} from './configuration.ts';
export { namesWith, NumberedNames, type ConfiguredNames, type NamedKind, NO_NAMES } from './configured-names.ts';
export { perConfiguration } from './per-configuration.ts';
export type { BoardRun, BoardRanking } from './board-run.ts';
export { levelOf, levelReached, LEVELS_BY, pointsFollowed } from './points-level.ts';
export type { LevelsBy, PointsRange, PointsStanding } from './points-level.ts';

// Decisions.
export { closeImport, IMPORT_IDLE_MS, idleImportsSince } from './decide/close-import.ts';
export { correctEvents } from './decide/correct-events.ts';
export type { Decision, NewEvent, Refusal } from './decide/decision.ts';
export { decide } from './decide/index.ts';
export { importOptionsOf, openImport, WITHOUT_OPTIONS, type ImportOptions } from './decide/open-import.ts';
export { publishConfiguration } from './decide/publish-configuration.ts';
export { metricEventRecorded } from './decide/record-metric-event.ts';
export { sweepUsers } from './decide/sweep-users.ts';
export type { UserState, UserOnRecord } from './decide/user-state.ts';

// What an area is, and what it applies.
export { AREAS, type AreaName } from './area-names.ts';
export {
  mergedRows,
  type Row,
  type Rows,
  type AreaTable,
  type PersonalTable,
  type Counter,
  type RowMerge,
  storedRows,
  type DigestSql,
  tablesOf,
  type UserArea,
  type AnyUserArea,
  type ViewRequest,
  type RunKey,
  type RunTurn,
  type BoardsArea,
  type BoardsApplied,
  type BoardsCorrected,
  type MissingRuns,
  type BoardsLayer,
  type ContributionsLayer,
  type ContributedBoards,
  type StateReader,
  StoreUnavailableError,
  type SqlReader,
  type Migration,
} from './area.ts';
export { areaOf, type StateUnderPlan } from './area-of.ts';
export type { UserRules } from './user-rules.ts';
export {
  type Occasion,
  type ReportedMetric,
  type UserOnOccasion,
  type ExplanationListener,
  type TriggerFired,
  type TriggerMissed,
  type TriggerPassedOver,
  type AchievementMissed,
  type ConditionChecked,
} from './occasion.ts';
export { AWARD_CUTS, type AwardCut } from './occasion.ts';
export { occasionOf } from './occasion-of.ts';
export { verdictIn } from './verdict.ts';
export { type Unstamped, type Firing, type Emitter, momentAt, EffectList } from './emitting.ts';
export {
  differenceOf,
  changedRows,
  type AreaCorrection,
  type CorrectedRows,
  type RunValues,
  type BoardsCorrection,
  type RunDifference,
  type RunValue,
  keyText,
} from './correction.ts';
export type { Contributions, Contribution, BoardsAnswer } from './contributions.ts';
export { type DamagedState, repairCommand, describeDamage } from './damaged-state.ts';

// The fold of a user, and the messages between processes.
export { messageAfter, requireAreas, type AreaRange, type Step, Fold, AreaError } from './fold.ts';
export {
  type RecordedUserEvent,
  type ChainMessage,
  newMessage,
  type UserSwept,
  sweepOf,
  userEventsOf,
  isOfUser,
  type AnswerParts,
  type UsersAnswer,
  type StreaksAnswer,
  type StreakChange,
  type StreakView,
  type AchievementsAnswer,
  type PointsAnswer,
  type PointsAward,
  type PointsSystemOutcome,
  type LeaderboardsAnswer,
  type BoardOutcome,
  isAwaited,
} from './message.ts';

// Helpers of areas.
export { dueAwardId, type AwardOwner } from './due-award-id.ts';
export { groupBy } from './group-by.ts';
export { plural } from './plural.ts';
