import {
  namesWith,
  NO_NAMES,
  type AchievementDefinition,
  type Configuration,
  type ConfigurationHistory,
  type LeaderboardDefinition,
  type Metric,
  type PointsSystemDefinition,
  type PointsTrigger,
  type TimeTrigger,
} from '@laurel/kernel';

const PUBLISHED_AT = Date.UTC(2026, 0, 1);
const ALWAYS = { activeFrom: null, activeUntil: null, where: null };
const common = (id: string, points: bigint) => ({ id, points, publishedAt: PUBLISHED_AT, ...ALWAYS });
const named = (key: string, name: string) => ({ id: `id-of-${key}`, key, name, description: null, badgeUrl: null });

const commits: Metric = { id: 'id-of-commits', key: 'commits', name: 'Commits' };
/** A metric whose key breaks objects that are used as maps. */
const proto: Metric = { id: 'id-of-proto', key: '__proto__', name: 'Prototype' };

const NO_BOOSTS = { boosts: [], removedBoosts: [] };

const achievement = (key: string, name: string) => ({
  ...named(key, name),
  group: null,
  tier: null,
  hidden: false,
  ...ALWAYS,
});

const achievements: readonly AchievementDefinition[] = [
  { ...achievement('first', 'First'), trigger: { type: 'metric', metric: commits, value: 1_500_000n } },
  { ...achievement('week', 'A week'), trigger: { type: 'streak', length: 7 } },
  {
    ...achievement('both', 'Both'),
    trigger: { type: 'achievement', achievements: [named('first', 'First'), named('week', 'A week')] },
  },
  { ...achievement('profile', 'Profile'), description: 'Told us.', trigger: { type: 'api' } },
];

const hourly: TimeTrigger = {
  ...common('t-time', 1n),
  type: 'time',
  unit: 'hour',
  interval: 4,
};

const triggers: readonly PointsTrigger[] = [
  { ...common('t-metric', 10n), type: 'metric', metric: commits, threshold: 2_500_000n, cap: null },
  { ...common('t-streak', 50n), type: 'streak', length: 7, cap: null },
  {
    ...common('t-achievement', -5n),
    type: 'achievement',
    achievement: { id: 'id-of-first', key: 'first', name: 'First' },
    cap: null,
  },
  { ...common('t-creation', 100n), type: 'user_creation' },
  hourly,
];

const pointsSystems: readonly PointsSystemDefinition[] = [
  {
    ...named('xp', 'Experience'),
    maxPoints: 10n ** 20n,
    caps: [],
    triggers,
    levels: [
      { ...named('novice', 'Novice'), points: 100n },
      { ...named('adept', 'Adept'), description: 'Able.', points: 1_000n },
    ],
    levelsBy: 'total',
    ...NO_BOOSTS,
    validityPeriods: [{ trigger: hourly, maxPoints: null, from: -Infinity, until: Infinity }],
  },
  {
    ...named('__proto__', 'Trap'),
    maxPoints: null,
    caps: [],
    triggers: [],
    levels: [],
    levelsBy: 'total',
    ...NO_BOOSTS,
    validityPeriods: [],
  },
];

const board = (key: string, rankBy: LeaderboardDefinition['rankBy']): LeaderboardDefinition => ({
  id: `id-of-${key}`,
  key,
  name: key,
  description: null,
  rankBy,
  start: '2026-01-01',
  end: null,
  run: null,
  maxParticipants: 1_000,
});

const leaderboards: readonly LeaderboardDefinition[] = [
  { ...board('monthly', { type: 'metric', metric: commits }), run: { unit: 'month', interval: 1 } },
  { ...board('weekly-xp', { type: 'points', pointsSystem: { key: 'xp', name: 'Experience' } }), end: '2026-12-31' },
  board('streaks', { type: 'streak' }),
];

const byKey = <T extends { readonly key: string }>(all: readonly T[]): ReadonlyMap<string, T> =>
  new Map(all.map((one) => [one.key, one]));

/** A compiled configuration with every kind of trigger and board, for tests of HTTP modules. */
export function sampleConfiguration(account: string): Configuration {
  const metrics = [commits, proto];
  return {
    account,
    version: 1,
    metrics,
    metricByKey: byKey(metrics),
    streak: {
      generation: 1,
      frequency: 'daily',
      weekStart: 'monday',
      period: { frequency: 'daily', weekStart: 'monday' },
      mode: 'all',
      conditions: [{ metric: 'commits', threshold: 1_000_000n }],
      freezes: null,
    },
    weekStart: 'monday',
    achievements,
    achievementByKey: byKey(achievements),
    pointsSystems,
    pointsSystemByKey: byKey(pointsSystems),
    leaderboards,
    leaderboardByKey: byKey(leaderboards),
    names: namesWith(NO_NAMES, { metrics, pointsSystems, achievements, leaderboards }),
  };
}

export function historyOf(current: Configuration): ConfigurationHistory {
  const known = current.pointsSystems.flatMap((system) => system.triggers);
  return {
    account: current.account,
    current,
    at: () => current,
    findTrigger: (id) => known.find((trigger) => trigger.id === id) ?? null,
  };
}
