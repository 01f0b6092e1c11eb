export * from './configuration-document.ts';
export * from './achievement-trigger-document.ts';
export * from './points-trigger-document.ts';
export * from './near-name.ts';
export * from './placeholder-ids.ts';
export * from './placeholder-users.ts';
export * from './scopes.ts';
export * from './account-state.ts';
export * from './achievement.ts';
export * from './administration.ts';
export * from './api-key.ts';
export * from './configuration-version.ts';
export * from './rebuild.ts';
export { attributionOf } from './attribution.ts';
export * from './audit.ts';
export * from './console.ts';
export * from './days.ts';
export { compiledSchema } from './compiled-schema.ts';
export * from './storage-status.ts';
export * from './corrections.ts';
export * from './event-answer.ts';
export * from './erasure.ts';
export * from './grants.ts';
export * from './grants-to-many.ts';
export * from './export.ts';
export * from './explain.ts';
export * from './explained-points.ts';
export * from './explained-streak.ts';
export * from './explained-standing.ts';
export * from './explained-event.ts';
export * from './explained-achievement.ts';
export * from './health.ts';
export * from './idempotency-key.ts';
export { knownUser, knownUsers, type KnownUser } from './known-user.ts';
export * from './leaderboard.ts';
export * from './log.ts';
export { mistakenFields, mistakenParameters } from './mistaken-fields.ts';
export * from './operations/index.ts';
export * from './outcomes.ts';
export * from './points.ts';
export { namePointsSystem, withPointsSystem } from './points-system-key.ts';
export * from './problem.ts';
export * from './read-request.ts';
export * from './requests.ts';
export * from './streak.ts';
export * from './support.ts';
export { flagOf } from './flag.ts';
export { isUserId, isVisible, mustBeOneOf } from './text.ts';
export { unknownThing } from './unknown-thing.ts';
export * from './user-export.ts';
export * from './user.ts';
export * from './verification.ts';
export { achievementAnswer } from './achievement-answer.ts';
export { freezeFields } from './streak-answer.ts';
export { leaderboardFields } from './leaderboard-answer.ts';
export {
  awardAnswer,
  levelAnswer,
  levelNamed,
  pointsSystemFields,
  storedAwardAnswer,
  systemAnswer,
  triggerAnswer,
} from './points-answer.ts';
export { userAnswer } from './user-answer.ts';
export { readJson } from './read-json.ts';
export { ExactNumber, jsonAmount, jsonInteger, writeJson, type JsonNumber } from './write-json.ts';
export * from './webhooks.ts';
export * from './preferences.ts';
