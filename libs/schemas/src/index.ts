export * from './configuration-document.ts';
export { MOST_CONDITIONS } from './conditions-document.ts';
export type { AchievementTriggerDocument } from './achievement-trigger-document.ts';
export * from './points-trigger-document.ts';
export { createSuggest, type Suggest } from './near-name.ts';
export * from './placeholder-users.ts';
export * from './scopes.ts';
export {
  listedAchievement,
  userAchievement,
  type AchievementAnswer,
  type ListedAchievement,
  type UserAchievementAnswer,
} from './achievement.ts';
export { stalledSeconds, queueStatus, digest } from './administration.ts';
export type { AreaStatus, ChainServiceStatus, DamagedUser, ServiceStatus, DigestAnswer } from './administration.ts';
export { newKeyRequest, revokeKeyQuery } from './api-key.ts';
export type { NewKeyRequest, ApiKeyAnswer, NewApiKeyAnswer } from './api-key.ts';
export * from './configuration-version.ts';
export { rebuildRequest, type RebuildDifferenceAnswer, type RebuildAnswer } from './rebuild.ts';
export { attributionOf } from './attribution.ts';
export type { AuditEntry, AuditPage } from './audit.ts';
export { signInRequest, consoleLinkRequest } from './console.ts';
export type { ConsoleSession, MissingRoutes, CurrentSession, ConsoleLink } from './console.ts';
export * from './days.ts';
export { compiledSchema } from './compiled-schema.ts';
export type { StorageStatus } from './storage-status.ts';
export { SHOWN_CORRECTED_EVENTS, previewCorrectionRequest, correctEventsRequest } from './corrections.ts';
export type {
  CorrectedEventAnswer,
  RecordedCorrection,
  CorrectionsOfEventAnswer,
  PreviewCorrectionRequest,
  CorrectionPreviewAnswer,
  CorrectionAnswer,
} from './corrections.ts';
export { eventAnswer, streamResult, finishImportRequest, completionAnswer, importRequest } from './event-answer.ts';
export type {
  EventAnswer,
  BatchResult,
  BatchAnswer,
  StreamEnd,
  StreamResult,
  FinishImportAnswer,
  CompletionAnswer,
  ImportRequest,
  ImportAnswer,
  OpenImportAnswer,
} from './event-answer.ts';
export { eraseUserQuery, type ErasurePlace, type Erasure } from './erasure.ts';
export {
  pointsGrantRequest,
  freezesGrantRequest,
  streakGrantRequest,
  MOST_EXCUSED_DAYS,
  excusedGrantRequest,
  achievementGrantRequest,
} from './grants.ts';
export {
  refundAnswer,
  refundRequest,
  spendAnswer,
  spendRequest,
  type RefundAnswer,
  type RefundRequest,
  type SpendAnswer,
  type SpendRequest,
} from './spends.ts';
export { BOOST_NAME, boostGrantRequest, type BoostGrantRequest } from './boost-grant.ts';
export type { PointsGrantRequest, ExcusedGrantRequest, AchievementGrantRequest, GrantAnswer } from './grants.ts';
export {
  streakFreezesRequest,
  restoreStreaksRequest,
  MOST_USERS_A_CALL,
  grantToManyRequest,
} from './grants-to-many.ts';
export type { GrantIssue, StreakFreezesAnswer, RestoreStreaksAnswer, GrantToManyAnswer } from './grants-to-many.ts';
export { exportedEvent, exportedAward, exportedRanking, exportedWinner } from './export.ts';
export type { ExportedEvent, ExportedAward, ExportedRanking, ExportedWinner, LoggedEvent } from './export.ts';
export type { CausingEvent } from './explain.ts';
export type { ExplainedAwardAnswer, ExplainedPointsAnswer, ExplainedPointsOfEventAnswer } from './explained-points.ts';
export { MOST_ZONE_CHANGES, type ExplainedStreakAnswer } from './explained-streak.ts';
export type { ContributionAnswer, ExplainedStandingAnswer } from './explained-standing.ts';
export type { EffectAnswer, ExplainedEventAnswer, RequestAnswer } from './explained-event.ts';
export type { ExplainedAchievementAnswer } from './explained-achievement.ts';
export * from './idempotency-key.ts';
export { knownUser, knownUsers, type KnownUser } from './known-user.ts';
export { listedLeaderboard, leaderboard, userLeaderboard, leaderboardRunPage } from './leaderboard.ts';
export type {
  LeaderboardEntry,
  ListedLeaderboard,
  LeaderboardAnswer,
  UserLeaderboard,
  LeaderboardRunPage,
} from './leaderboard.ts';
export type { LogHead, LogProof } from './log.ts';
export { mistakenFields, mistakenParameters } from './mistaken-fields.ts';
export * from './operations/index.ts';
export { OUTCOME_BODIES, type OutcomeBody } from './outcomes.ts';
export {
  awardBoosts,
  boostAnswer,
  listedBoostAnswer,
  pointsBoost,
  type ListedBoost,
  type OutcomeBoost,
} from './boosts.ts';
export { hundredthsOf, type BoostDocument } from './boost-document.ts';
export { level, pointsSystem, userPoints, levelUsers, pointsRange } from './points.ts';
export type {
  LevelAnswer,
  PointsSystemAnswer,
  EventPoints,
  UserPoints,
  PointsBucketAnswer,
  LevelUsersAnswer,
  PointsRangeAnswer,
} from './points.ts';
export { namePointsSystem, withPointsSystem } from './points-system-key.ts';
export * from './problem.ts';
export * from './read-request.ts';
export {
  metricEventRequest,
  batchItem,
  batchItemNames,
  batchRequest,
  identifyRequest,
  userUpdateRequest,
  completeAchievementRequest,
} from './requests.ts';
export type { MetricEventRequest, UserUpdateRequest } from './requests.ts';
export { userStreak, rankedStreak, MOST_LENGTHS, streakSurvival } from './streak.ts';
export type { CurrentStreak, UserStreak, RankedStreak, StreakSurvivalAnswer } from './streak.ts';
export type {
  UserPage,
  UserOverview,
  CompletionPage,
  LevelUserPage,
  TimelineEvent,
  LiveEvent,
  UserTimeline,
} from './support.ts';
export { flagOf } from './flag.ts';
export { isUserId, isUuid, isVisible, mustBeOneOf } from './text.ts';
export { unknownThing } from './unknown-thing.ts';
export * from './user-export.ts';
export * from './user.ts';
export { MOST_FINDINGS } from './verification.ts';
export type { VerificationFinding, VerificationAnswer, VerificationProgress } from './verification.ts';
export { achievementAnswer } from './achievement-answer.ts';
export { freezeFields } from './streak-answer.ts';
export { leaderboardFields } from './leaderboard-answer.ts';
export {
  awardAnswer,
  levelAnswer,
  levelNamed,
  standingAnswer,
  pointsSystemFields,
  storedAwardAnswer,
  systemAnswer,
  triggerAnswerAt,
} from './points-answer.ts';
export { conditionsAnswer } from './conditions-answer.ts';
export { userAnswer } from './user-answer.ts';
export { readJson } from './read-json.ts';
export { ExactNumber, jsonAmount, jsonInteger, writeJson, type JsonNumber } from './write-json.ts';
export {
  DEFAULT_MINIMUM_INTERVAL,
  newWebhookRequest,
  webhookChange,
  deliveryState,
  webhookReplayRequest,
} from './webhooks.ts';
export type {
  WebhookOrdering,
  NewWebhookRequest,
  WebhookChange,
  WebhookAnswer,
  WebhookStatus,
  NewWebhookAnswer,
  WebhookSecretAnswer,
  WebhookTestAnswer,
  DeliveryState,
  WebhookDeliveryAnswer,
  WebhookDeliveryPage,
  WebhookReplayRequest,
} from './webhooks.ts';
export { preferencesRequest, preferencesAnswer, type PreferencesAnswer } from './preferences.ts';
