import type {
  AchievementDefinition,
  ConfigurationHistory,
  LeaderboardDefinition,
  Metric,
  PointsSystemDefinition,
} from '@laurel/kernel';
import type {
  AchievementReads,
  Clock,
  Directory,
  ExplainReads,
  LeaderboardReads,
  PointsReads,
  StreakReads,
  UserReads,
} from '@laurel/ports';
import { configured } from '@laurel/runtime';

/** The dependencies of reads. */
export interface QueryPorts {
  readonly directory: Pick<Directory, 'find' | 'findAll' | 'idsOf'>;
  readonly users: UserReads;
  readonly streaks: StreakReads;
  readonly achievements: AchievementReads;
  readonly points: PointsReads;
  readonly leaderboards: LeaderboardReads;
  /** @throws ProblemError 422 if this process cannot read the log of the installation */
  readonly explain: () => Promise<ExplainReads>;
  readonly clock: Clock;
  readonly configuration: (account: string) => ConfigurationHistory;
}

/** Token under which a process provides its {@link QueryPorts}. */
export const QUERY_PORTS = Symbol('QueryPorts');

/** Token of the ports for browser sessions and for routes below `/admin`, which read over a small pool. */
export const BOUNDED_QUERY_PORTS = Symbol('BoundedQueryPorts');

/** @throws ProblemError 404, as the next three functions do */
export const knownSystem = (ports: QueryPorts, account: string, key: string): PointsSystemDefinition =>
  configured('unknown_points_system', key, ports.configuration(account).current.pointsSystemByKey);

export const knownBoard = (ports: QueryPorts, account: string, key: string): LeaderboardDefinition =>
  configured('unknown_leaderboard', key, ports.configuration(account).current.leaderboardByKey);

export const knownMetric = (ports: QueryPorts, account: string, key: string): Metric =>
  configured('unknown_metric', key, ports.configuration(account).current.metricByKey);

export const knownAchievement = (ports: QueryPorts, account: string, key: string): AchievementDefinition =>
  configured('unknown_achievement', key, ports.configuration(account).current.achievementByKey);
