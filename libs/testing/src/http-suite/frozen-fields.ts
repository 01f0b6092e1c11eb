// Every field of the interface, typed by hand from the specification. A field that leaves or joins an answer turns the suite red:
// change it here only together with the specification.

const LEADERBOARD = [
  ...['id', 'key', 'name', 'description', 'rankBy', 'metricKey', 'metricName', 'pointsSystemKey', 'pointsSystemName'],
  ...['runUnit', 'runInterval', 'maxParticipants', 'start', 'end'],
  ...['breakdownAttribute', 'breakdownAttributes', 'userAttributes', 'startTime', 'endTime'],
];
const RUN = ['runStart', 'runEnd', 'changedAt'];
const ACHIEVEMENT = [
  ...['id', 'key', 'trigger', 'metricId', 'metricName', 'metricValue', 'name', 'description', 'badgeUrl', 'achievedAt'],
  'userAttributes',
];
const STREAK = ['length', 'frequency', 'started', 'periodStart', 'periodEnd', 'expires', 'extended'];
const FREEZES = ['freezes', 'maxFreezes', 'freezeAutoEarnInterval', 'freezeAutoEarnAmount'];
const SYSTEM = ['id', 'key', 'name', 'description', 'badgeUrl', 'maxPoints'];
const TRIGGER = ['id', 'type', 'points', 'status', 'userAttributes', 'created', 'updated'];

export const FROZEN_FIELDS = {
  eventResponse: ['metricId', 'eventId', 'total', 'achievements', 'currentStreak', 'points', 'leaderboards'],
  idempotency: ['idempotentReplayed', 'idempotencyKey'],
  achievement: ACHIEVEMENT,
  streakAchievement: [...ACHIEVEMENT, 'streakLength'],
  compositeAchievement: [...ACHIEVEMENT, 'achievementIds'],
  apiAchievement: ACHIEVEMENT,
  listStatistics: ['completions', 'rarity'],
  ofUser: ['progress'],
  currentStreak: [...STREAK, ...FREEZES],
  userStreak: [...STREAK, ...FREEZES, 'streakHistory', 'pauses'],
  streakHistory: ['periodStart', 'periodEnd', 'length', 'usedPause', 'usedFreeze'],
  eventPoints: [...SYSTEM, 'total', 'added', 'awards'],
  userPoints: [...SYSTEM, 'total', 'level', 'awards'],
  pointsSystem: [...SYSTEM, 'triggers'],
  level: ['id', 'key', 'name', 'description', 'badgeUrl', 'points'],
  award: ['id', 'awarded', 'date', 'total', 'trigger'],
  metricTrigger: [...TRIGGER, 'metricId', 'metricName', 'metricThreshold'],
  streakTrigger: [...TRIGGER, 'streakLengthThreshold'],
  achievementTrigger: [...TRIGGER, 'achievementId', 'achievementName'],
  userCreationTrigger: TRIGGER,
  timeTrigger: [...TRIGGER, 'timeUnit', 'timeInterval'],
  leaderboardEntry: [...LEADERBOARD, 'threshold', 'previousRank', 'rank'],
  listedLeaderboard: [...LEADERBOARD, 'status'],
  leaderboard: [...LEADERBOARD, ...RUN, 'status', 'rankings'],
  ranking: ['userId', 'userName', 'rank', 'value'],
  userLeaderboard: [...LEADERBOARD, ...RUN, 'rank', 'value', 'history'],
  rankHistory: ['timestamp', 'date', 'previousRank', 'rank', 'previousValue', 'value'],
  summaryElement: ['date', 'total', 'change'],
  user: ['id', 'email', 'name', 'tz', 'subscribeToEmails', 'attributes', 'control', 'created', 'updated'],
  userMetric: ['id', 'key', 'name', 'status', 'current', 'achievements'],
  rankedStreak: ['userId', 'streakLength', 'extended'],
  problem: ['type', 'title', 'status', 'detail', 'error', 'code'],
  problemItem: ['path', 'message'],
  batch: ['accepted', 'results'],
  levelSummary: ['level', 'users'],
  pointsRange: ['from', 'to', 'users'],
  completion: ['completionId', 'achievement', 'achievements', 'points', 'leaderboards'],
} as const satisfies Record<string, readonly string[]>;

export type FrozenShape = keyof typeof FROZEN_FIELDS;
