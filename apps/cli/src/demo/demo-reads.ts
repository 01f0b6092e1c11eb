import { localDate, parseInstant, type Instant } from '@laurel/calendar';
import { RefusedError } from '../service/service-error.ts';
import type { ServiceConnection } from '../service/service-connection.ts';
import { RUN_ATTRIBUTE } from './rules/demo-history.ts';
import type { DemoNumbers } from './demo-summary.ts';

/** The parts of the demo's configuration that the summary shows. */
export const SHOWN = { allTime: 'all-time', weekly: 'weekly', system: 'xp' } as const;

const ALL_TIME_ROWS = 5;
const WEEKLY_ROWS = 3;
/** The most users in one read of streaks. */
const STREAKS_PER_READ = 100;

/** The present instant on the service's clock. */
export async function instantOf(service: ServiceConnection): Promise<Instant> {
  const { now } = await service.ask((client, settings) => client.GET('/admin/v1/status', settings));
  return parseInstant(now) ?? 0;
}

/** How many users the service knows; null if its configuration lacks the points system of the demo. */
export async function countUsers(service: ServiceConnection): Promise<number | null> {
  const ranges = await found(pointsRanges(service));
  return ranges === null ? null : ranges.reduce((sum, { users }) => sum + users, 0);
}

/** Number of these users that this run of the demo has created. */
export async function countUsersOfRun(
  service: ServiceConnection,
  ids: readonly string[],
  run: string,
): Promise<number> {
  let known = 0;
  for (const id of ids) {
    const user = await found(readUser(service, id));
    if (user?.attributes[RUN_ATTRIBUTE] === run) known++;
  }
  return known;
}

/** The facts for the summary, once the history is recorded. */
export async function readNumbers(
  service: ServiceConnection,
  ids: readonly string[],
  until: Instant,
): Promise<DemoNumbers> {
  const [allTime, weekly, achievements, ranges] = [
    await board(service, SHOWN.allTime, until, ALL_TIME_ROWS),
    await board(service, SHOWN.weekly, until, WEEKLY_ROWS),
    await service.ask((client, settings) => client.GET('/v1/achievements', settings)),
    await pointsRanges(service),
  ];
  const { userId } = await longestStreak(service, ids);
  const [user, streak] = [await readUser(service, userId), await readStreak(service, userId)];
  return { allTime, weekly, achievements, ranges, longest: { id: userId, name: user.name ?? userId, streak } };
}

const pointsRanges = (service: ServiceConnection) =>
  service.ask((client, settings) =>
    client.GET('/v1/points/{key}/summary', { ...settings, params: { path: { key: SHOWN.system } } }),
  );

const readUser = (service: ServiceConnection, id: string) =>
  service.ask((client, settings) => client.GET('/v1/users/{id}', { ...settings, params: { path: { id } } }));

const readStreak = (service: ServiceConnection, id: string) =>
  service.ask((client, settings) => client.GET('/v1/users/{id}/streak', { ...settings, params: { path: { id } } }));

/** The board in the run with the last date of the history. On a Monday, the current run would be empty. */
const board = (service: ServiceConnection, key: string, until: Instant, limit: number) =>
  service.ask((client, settings) =>
    client.GET('/v1/leaderboards/{key}', {
      ...settings,
      params: { path: { key }, query: { limit, run: localDate(until - 1, 'UTC') } },
    }),
  );

async function longestStreak(service: ServiceConnection, ids: readonly string[]) {
  let longest = { userId: ids[0] ?? '', streakLength: 0 };
  for (let from = 0; from < ids.length; from += STREAKS_PER_READ) {
    const userIds = ids.slice(from, from + STREAKS_PER_READ);
    const [first] = await service.ask((client, settings) =>
      client.GET('/v1/streaks', { ...settings, params: { query: { userIds } } }),
    );
    if (first && first.streakLength > longest.streakLength) longest = first;
  }
  return longest;
}

const UNKNOWN: ReadonlySet<string> = new Set(['unknown_user', 'unknown_points_system']);

/** null if the service does not know the user or points system. */
async function found<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof RefusedError && UNKNOWN.has(error.code)) return null;
    throw error;
  }
}
