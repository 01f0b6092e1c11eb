const DAY_MS = 86_400_000;
/** The largest number of days that one request may ask for. */
const DAYS_AT_ONCE = 400;

/**
 * The numbers that a service has counted, in the format of `recount`.
 *
 * @param {(path: string) => Promise<any>} ask returns the body of a read, or null if it is refused with 422
 * @param {{ days: object, levels: object }} expected names the days and systems to read
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

/** Also reads a week before and a week after the dates, in which nothing must be counted. */
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
 * The differences between two counts, in both directions.
 *
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

/** The number of numbers in the counters. */
export const numbersIn = (counters) =>
  isObject(counters) ? Object.values(counters).reduce((sum, value) => sum + numbersIn(value), 0) : 1;

/**
 * Reads from the running service that LAUREL_PORT and LAUREL_API_KEY name. Each request has its own connection: the
 * service may close a kept one while this process waits for a command.
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
