const DAY_MS = 86_400_000;
/** As many as the service counts at once. */
const DAYS_AT_ONCE = 400;

/**
 * What a service has counted, in the form in which `recount` counts it.
 * @param {(path: string) => Promise<any>} ask answers the body of a read; null: it is refused with 422
 * @param {{ days: object, levels: object }} expected on which days and of which systems
 * @returns {Promise<import('./recount.mjs').Counters>}
 */
export async function readCounters(ask, { days, levels }) {
  const bySystem = async (read) =>
    Object.fromEntries(await Promise.all(Object.keys(levels).map(async (system) => [system, await read(system)])));
  const [dates, survival] = [Object.keys(days).sort(), await ask('/admin/v1/streaks/survival')];
  return {
    days: await readDays(ask, dates),
    survival: {
      lengths: Object.fromEntries(survival.lengths.map(({ length, reached, ended }) => [length, { reached, ended }])),
      longest: survival.longest,
    },
    levels: await bySystem(async (system) => {
      const users = await ask(`/v1/points/${system}/level-summary`);
      return users && Object.fromEntries(users.map(({ level, users: count }) => [level.key, count]));
    }),
    distribution: await bySystem(async (system) => {
      const ranges = await ask(`/v1/points/${system}/summary`);
      return Object.fromEntries(ranges.map(({ from, to, users }) => [`${from}–${to}`, users]));
    }),
  };
}

/** Also those before and behind, of which nothing must be counted. */
async function readDays(ask, dates) {
  const days = {};
  const end = Date.parse(dates.at(-1)) + 7 * DAY_MS;
  for (let from = Date.parse(dates[0]) - 7 * DAY_MS; from <= end; from += DAYS_AT_ONCE * DAY_MS) {
    const to = from + (DAYS_AT_ONCE - 1) * DAY_MS;
    const answer = await ask(`/admin/v1/days?from=${dateOf(from)}&to=${dateOf(to)}`);
    for (const { date, ...counted } of answer.days)
      if (counted.events > 0 || Object.keys(counted.points).length > 0) days[date] = counted;
  }
  return days;
}

const dateOf = (at) => new Date(at).toISOString().slice(0, 10);

/**
 * Where two counts differ, in both directions.
 * @param {unknown} recounted
 * @param {unknown} counted
 * @returns {readonly string[]}
 */
export function differences(recounted, counted, path = '') {
  if (!isObject(recounted) || !isObject(counted))
    return recounted === counted ? [] : [`${path}: counted ${written(counted)}, recounted ${written(recounted)}`];
  const keys = new Set([...Object.keys(recounted), ...Object.keys(counted)]);
  return [...keys].flatMap((key) => differences(recounted[key], counted[key], path === '' ? key : `${path} ${key}`));
}

const isObject = (value) => typeof value === 'object' && value !== null;
const written = (value) => (value === undefined ? 'nothing' : JSON.stringify(value));

/** How many numbers there are. */
export const numbersIn = (counters) =>
  isObject(counters) ? Object.values(counters).reduce((sum, value) => sum + numbersIn(value), 0) : 1;

/**
 * Reads a running service with its LAUREL_PORT and LAUREL_API_KEY, by a connection of its own: one that is kept may be closed at the other
 * end while a command is waited for.
 */
export async function askService(path) {
  const response = await fetch(`http://127.0.0.1:${process.env.LAUREL_PORT}${path}`, {
    headers: { 'x-api-key': process.env.LAUREL_API_KEY, connection: 'close' },
  });
  const text = await response.text();
  if (response.status === 422) return null;
  if (response.status !== 200) throw new Error(`GET ${path} was answered ${response.status}: ${text}`);
  return path.startsWith('/admin/v1/export/') ? linesOf(text) : JSON.parse(text);
}

/** @param {string} text NDJSON */
export const linesOf = (text) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
