import type { TrophyApiClient } from '@trophyso/node';

/** A route of the client, the call of its method, and the schema by which its code parses the answer. */
export interface TrophyRoute {
  readonly method: string;
  /** The path with `:` before its parameters, which `call` gets in order, still percent-encoded. */
  readonly path: string;
  readonly schema: string;
  readonly call: (client: TrophyApiClient, ...parts: readonly string[]) => Promise<unknown>;
}

const user = { id: 'somebody' };
const request = { timeoutInSeconds: 30, maxRetries: 0 };
const days = { aggregation: 'daily', startDate: '2026-01-01', endDate: '2026-01-02' } as const;

const route = (method: string, path: string, schema: string, call: TrophyRoute['call']): TrophyRoute => ({
  method,
  path,
  schema,
  call,
});

/** The routes, with requests that any server accepts as well-formed, because only the answers are checked. */
export const TROPHY_ROUTES: readonly TrophyRoute[] = [
  route('POST', '/v1/metrics/:key/event', 'EventResponse', (client, key = '') =>
    client.metrics.event(key, { user, value: 1 }, request),
  ),
  route('GET', '/v1/achievements', 'achievements.all', (client) => client.achievements.all({}, request)),
  route('POST', '/v1/achievements/:key/complete', 'AchievementCompletionResponse', (client, key = '') =>
    client.achievements.complete(key, { user }, request),
  ),
  route('POST', '/v1/users', 'User', (client) => client.users.create(user, request)),
  route('GET', '/v1/users/:id', 'User', (client, id = '') => client.users.get(id, request)),
  route('PUT', '/v1/users/:id', 'User', (client, id = '') => client.users.identify(id, {}, request)),
  route('PATCH', '/v1/users/:id', 'User', (client, id = '') => client.users.update(id, {}, request)),
  route('GET', '/v1/users/:id/preferences', 'UserPreferencesResponse', (client, id = '') =>
    client.users.getPreferences(id, request),
  ),
  route('PATCH', '/v1/users/:id/preferences', 'UserPreferencesResponse', (client, id = '') =>
    client.users.updatePreferences(id, {}, request),
  ),
  route('GET', '/v1/users/:id/metrics', 'users.allMetrics', (client, id = '') => client.users.allMetrics(id, request)),
  route('GET', '/v1/users/:id/metrics/:key', 'MetricResponse', (client, id = '', key = '') =>
    client.users.singleMetric(id, key, request),
  ),
  route('GET', '/v1/users/:id/metrics/:key/event-summary', 'users.metricEventSummary', (client, id = '', key = '') =>
    client.users.metricEventSummary(id, key, days, request),
  ),
  route('GET', '/v1/users/:id/achievements', 'users.achievements', (client, id = '') =>
    client.users.achievements(id, {}, request),
  ),
  route('GET', '/v1/users/:id/streak', 'StreakResponse', (client, id = '') => client.users.streak(id, {}, request)),
  route('GET', '/v1/users/:id/points/:key', 'GetUserPointsResponse', (client, id = '', key = '') =>
    client.users.points(id, key, {}, request),
  ),
  route('GET', '/v1/users/:id/points/:key/event-summary', 'users.pointsEventSummary', (client, id = '', key = '') =>
    client.users.pointsEventSummary(id, key, days, request),
  ),
  route('GET', '/v1/users/:id/leaderboards/:key', 'UserLeaderboardResponseWithHistory', (client, id = '', key = '') =>
    client.users.leaderboard(id, key, {}, request),
  ),
  route('GET', '/v1/streaks', 'BulkStreakResponse', (client) => client.streaks.list({}, request)),
  route('GET', '/v1/points/:key', 'PointsSystemResponse', (client, key = '') => client.points.system(key, request)),
  route('GET', '/v1/points/:key/summary', 'PointsSummaryResponse', (client, key = '') =>
    client.points.summary(key, {}, request),
  ),
  route('POST', '/admin/v1/streaks/freezes', 'CreateStreakFreezesResponse', (client) =>
    client.admin.streaks.freezes.create({ freezes: [{ userId: user.id }] }, request),
  ),
  route('POST', '/admin/v1/streaks/restore', 'RestoreStreaksResponse', (client) =>
    client.admin.streaks.restore({ users: [user] }, request),
  ),
  route('GET', '/v1/leaderboards', 'leaderboards.all', (client) => client.leaderboards.all(request)),
  route('GET', '/v1/leaderboards/:key', 'LeaderboardResponseWithRankings', (client, key = '') =>
    client.leaderboards.get(key, {}, request),
  ),
];

/** Our paths that the client does not have. */
const BESIDE_THE_CLIENT = [
  /^\/(?:healthz|readyz|openapi\.json|docs.*|console.*)$/,
  /^\/v1\/points(?:\/[^/]+\/(?:levels|level-summary))?$/,
  /^\/v1\/users\/[^/]+\/points\/[^/]+\/(?:boosts|spend|spends\/[^/]+\/refund)$/,
  /^\/admin\/v1\//,
];

export interface FoundRoute {
  readonly route: TrophyRoute;
  readonly parts: readonly string[];
}

/**
 * The client's route for one of our requests. `pathname` is as it was sent, without query. The prefix of the event
 * route counts as `/v1`.
 */
export function findTrophyRoute(method: string, pathname: string): FoundRoute | null {
  const path = pathname.replace(/^\/api\/(?=metrics\/)/, '/v1/');
  for (const route of TROPHY_ROUTES) {
    const parts = route.method === method ? partsOf(route.path, path) : null;
    if (parts) return { route, parts };
  }
  return null;
}

export const isBesideTheClient = (pathname: string): boolean => BESIDE_THE_CLIENT.some((path) => path.test(pathname));

/** The parts of a path for the names in a pattern, or null if the path does not match. */
function partsOf(pattern: string, path: string): readonly string[] | null {
  const [names, found] = [pattern.split('/'), path.split('/')];
  if (names.length !== found.length) return null;
  const fits = names.every((name, index) => name.startsWith(':') || name === found[index]);
  return fits ? found.filter((_part, index) => names[index]?.startsWith(':')) : null;
}
