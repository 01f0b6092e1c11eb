import { UNITS } from '@laurel/amounts';
import {
  namesWith,
  NO_NAMES,
  type Configuration,
  type ConfigurationHistory,
  type LeaderboardDefinition,
  type Metric,
  type PointsSystemDefinition,
} from '@laurel/kernel';

export const ACCOUNT = 'default';

const named = (key: string) => ({ id: `id-of-${key}`, key, name: key });

export const commits: Metric = named('commits');
export const merges: Metric = named('merges');

type BoardFields = Partial<LeaderboardDefinition>;

export function metricBoard(key: string, fields: BoardFields = {}): LeaderboardDefinition {
  return {
    ...named(key),
    description: null,
    rankBy: { type: 'metric', metric: commits },
    start: '2026-01-01',
    end: null,
    run: null,
    maxParticipants: 1000,
    ...fields,
  };
}

export function pointsBoard(key: string, system: string, fields: BoardFields = {}): LeaderboardDefinition {
  return metricBoard(key, { rankBy: { type: 'points', pointsSystem: { key: system, name: system } }, ...fields });
}

export function streakBoard(key: string, fields: BoardFields = {}): LeaderboardDefinition {
  return metricBoard(key, { rankBy: { type: 'streak' }, ...fields });
}

/** A system whose only trigger sums the metric. */
export function pointsSystem(key: string, metric: Metric = commits): PointsSystemDefinition {
  const trigger = {
    type: 'metric',
    id: `trigger-of-${key}`,
    metric,
    threshold: UNITS,
    points: 1n,
    cap: null,
    activeFrom: null,
    activeUntil: null,
    where: null,
    publishedAt: 0,
  } as const;
  return {
    ...named(key),
    description: null,
    badgeUrl: null,
    maxPoints: null,
    caps: [],
    triggers: [trigger],
    levels: [],
    levelsBy: 'total',
    boosts: [],
    removedBoosts: [],
    validityPeriods: [],
  };
}

export function configurationOf(
  leaderboards: readonly LeaderboardDefinition[],
  pointsSystems: readonly PointsSystemDefinition[] = [],
  account = ACCOUNT,
): Configuration {
  const metrics = [commits, merges];
  return {
    account,
    version: 1,
    metrics,
    metricByKey: byKey(metrics),
    streak: null,
    weekStart: 'monday',
    achievements: [],
    achievementByKey: new Map(),
    pointsSystems,
    pointsSystemByKey: byKey(pointsSystems),
    leaderboards,
    leaderboardByKey: byKey(leaderboards),
    names: namesWith(NO_NAMES, { metrics, pointsSystems, achievements: [], leaderboards }),
  };
}

export function historyOf(current: Configuration): ConfigurationHistory {
  return { account: current.account, current, at: () => current, findTrigger: () => null };
}

function byKey<T extends { readonly key: string }>(things: readonly T[]): ReadonlyMap<string, T> {
  return new Map(things.map((thing) => [thing.key, thing]));
}
