import type { ConfigurationHistory, LeaderboardDefinition, Metric, PointsSystemDefinition } from '@laurel/kernel';
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
import { ProblemError, unknownThing } from '@laurel/schemas';

/** What the doors of the read side stand in front of. */
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

/** Likewise of those that read within bounds: for sessions of browsers, and below `/admin`. */
export const BOUNDED_QUERY_PORTS = Symbol('BoundedQueryPorts');

/** @throws ProblemError 404; so do all that follow. */
export function knownSystem(ports: QueryPorts, account: string, key: string): PointsSystemDefinition {
  const { pointsSystemByKey } = ports.configuration(account).current;
  const system = pointsSystemByKey.get(key);
  if (system) return system;
  throw new ProblemError(unknownThing('unknown_points_system', key, pointsSystemByKey.keys()));
}

export function knownBoard(ports: QueryPorts, account: string, key: string): LeaderboardDefinition {
  const { leaderboardByKey } = ports.configuration(account).current;
  const board = leaderboardByKey.get(key);
  if (board) return board;
  throw new ProblemError(unknownThing('unknown_leaderboard', key, leaderboardByKey.keys()));
}

export function knownMetric(ports: QueryPorts, account: string, key: string): Metric {
  const { metricByKey } = ports.configuration(account).current;
  const metric = metricByKey.get(key);
  if (metric) return metric;
  throw new ProblemError(unknownThing('unknown_metric', key, metricByKey.keys()));
}
