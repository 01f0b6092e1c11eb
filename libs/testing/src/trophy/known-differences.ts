import type { FrozenShape } from '../http-suite/frozen-fields.ts';

/** The objects of the client's schemas, and our objects that correspond to them. */
export const SHAPES: ReadonlyMap<string, readonly FrozenShape[]> = new Map<string, readonly FrozenShape[]>([
  ['EventResponse', ['eventResponse', 'idempotency']],
  ['UserAchievementResponse', ['achievement', 'streakAchievement', 'compositeAchievement', 'apiAchievement']],
  ['UserAchievementWithStatsResponse', ['achievement', 'streakAchievement', 'apiAchievement', 'listStatistics']],
  ['AchievementCompletionResponse', ['completion']],
  ['MetricEventStreakResponse', ['currentStreak']],
  ['StreakResponse', ['userStreak']],
  ['StreakResponseStreakHistoryItem', ['streakHistory']],
  ['BulkStreakResponseItem', ['rankedStreak']],
  ['MetricEventPointsResponse', ['eventPoints']],
  ['GetUserPointsResponse', ['userPoints']],
  ['PointsSystemResponse', ['pointsSystem']],
  ['PointsAward', ['award']],
  ['PointsTriggerResponse', ['metricTrigger', 'streakTrigger', 'achievementTrigger', 'timeTrigger']],
  ['PointsRange', ['pointsRange']],
  ['UsersPointsEventSummaryResponseItem', ['summaryElement']],
  ['MetricEventLeaderboardResponse', ['leaderboardEntry']],
  ['LeaderboardsAllResponseItem', ['listedLeaderboard']],
  ['LeaderboardResponseWithRankings', ['leaderboard']],
  ['LeaderboardRanking', ['ranking']],
  ['UserLeaderboardResponseWithHistory', ['userLeaderboard']],
  ['LeaderboardEvent', ['rankHistory']],
  ['User', ['user']],
  ['MetricResponse', ['userMetric']],
  ['UsersMetricEventSummaryResponseItem', ['summaryElement']],
  ['ErrorBody', ['problem']],
]);

/** Fields that the client supports and Laurel lacks; all are optional in the client. */
export const UNUSED_FIELDS: readonly string[] = [
  'MetricEventLeaderboardResponse.breakdownAttributeValue',
  'PointsTriggerResponse.eventAttribute',
  'StreakResponse.rank',
  'User.deviceTokens',
  'UserAchievementResponse.eventAttribute',
  'UserAchievementWithStatsResponse.eventAttribute',
];

const unexpected = (place: string, ...keys: string[]): string[] =>
  keys.map((key) => `${place}.${key}: Unexpected key "${key}"`);

const boardKeys = ['breakdownAttributes', 'userAttributes', 'startTime', 'endTime'];
const triggerKeys = ['status', 'userAttributes', 'created', 'updated'];
const eventKeys = ['eventAttribute', 'eventAttributes'];
const composite = (place: string): string[] => [
  ...unexpected(place, 'achievementIds'),
  `${place}.trigger: Expected enum. Received "achievement".`,
];

/**
 * Fields of our answers that the client's schemas lack. The client passes them on unchanged: fields of the interface
 * that this release of the client lacks or that other clients require (specification, section 2), achievements made of
 * others, and points given by hand.
 */
export const BESIDE_THE_CLIENT: readonly string[] = [
  ...composite('EventResponse.achievements.*'),
  ...composite('users.achievements.*'),
  ...unexpected('EventResponse.achievements.*', 'eventAttributes', 'hidden'),
  ...unexpected('users.achievements.*', 'progress', 'eventAttributes', 'hidden'),
  ...composite('achievements.all.*'),
  ...unexpected('achievements.all.*', 'achievedAt'),
  ...unexpected('EventResponse.points.*', 'level'),
  ...unexpected('EventResponse.points.*.awards.*.trigger', 'metricId', 'achievementId', ...triggerKeys, ...eventKeys),
  ...unexpected('AchievementCompletionResponse', 'achievements', 'leaderboards'),
  ...unexpected('AchievementCompletionResponse.points.*.awards.*.trigger', 'achievementId', ...triggerKeys),
  ...unexpected('GetUserPointsResponse', 'level'),
  ...unexpected('GetUserPointsResponse.awards.*.trigger', 'metricId', 'achievementId', ...triggerKeys, ...eventKeys),
  ...['grant', 'refund', 'spend'].map(
    (type) => `GetUserPointsResponse.awards.*.trigger.type: Expected enum. Received "${type}".`,
  ),
  ...unexpected('PointsSystemResponse', 'key'),
  ...unexpected('PointsSystemResponse.triggers.*', 'eventAttributes'),
  ...unexpected('StreakResponse', 'extended', 'pauses'),
  ...unexpected('StreakResponse.streakHistory.*', 'usedPause'),
  ...unexpected('EventResponse.leaderboards.*', ...boardKeys),
  ...unexpected('LeaderboardResponseWithRankings', 'runStart', 'runEnd', 'changedAt', ...boardKeys),
  ...unexpected('leaderboards.all.*', ...boardKeys),
  ...unexpected('UserLeaderboardResponseWithHistory', 'runStart', 'runEnd', 'changedAt', ...boardKeys),
  ...unexpected('UserLeaderboardResponseWithHistory.history.*', 'date'),
];
