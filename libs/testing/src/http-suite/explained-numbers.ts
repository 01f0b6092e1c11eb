import { formatAmount, parseAmount, type Amount } from '@laurel/amounts';

/** Requests a path with a key that may read and administer. @returns the body of a 200 answer, or null for 404 */
export type ReadText = (path: string) => Promise<string | null>;

export interface ExplainedNumbers {
  readonly users: number;
  /** How many numbers were compared with their explanations. */
  readonly numbers: number;
  /** Numbers that do not match, each with its user and its place. */
  readonly findings: readonly string[];
}

export interface NumbersQuery {
  /** Compares every n-th user in the order of ids, beginning with the first; 1 for all. */
  readonly every: number;
  /** Most runs per user and leaderboard, spread over all possible ones. */
  readonly runs: number;
}

/** Users compared concurrently. */
const AT_ONCE = 6;
const USERS_PER_PAGE = 40;
const ROWS_PER_PAGE = 50;
const PERIODS_PER_PAGE = 100;

// Fields by name, like a client that knows only the specification. Numbers are texts, so that every digit counts.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Json = any;

/**
 * Compares every number of a service's users with its explanation: points by system, totals by metric, the length of
 * the streak, values by leaderboard and run. The changes that explain a number must add up to it, over all pages.
 * Nothing may be recorded meanwhile.
 */
export async function explainedNumbers(read: ReadText, { every, runs }: NumbersQuery): Promise<ExplainedNumbers> {
  const ask = async (path: string): Promise<Json> => {
    const text = await read(path);
    return text === null ? null : withExactNumbers(text);
  };
  const boards: Json[] = await ask('/v1/leaderboards?includeFinished=true');
  const sums = new Sums();
  const ids = await userIds(ask, every);
  const waiting = ids.toReversed();
  const check = async () => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) await checkUser(ask, id, boards, runs, sums);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, check));
  return { users: ids.length, numbers: sums.checked, findings: sums.findings };
}

/** null for 404. */
type Ask = (path: string) => Promise<Json>;

/** Numbers as texts, with every digit. */
function withExactNumbers(text: string): Json {
  const quoted = text.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) =>
    token.startsWith('"') ? token : `"${token}"`,
  );
  return JSON.parse(quoted);
}

class Sums {
  checked = 0;
  readonly findings: string[] = [];

  equal(what: string, number: Amount, explained: Amount): void {
    this.checked += 1;
    if (number === explained) return;
    this.findings.push(`${what}: it is ${formatAmount(number)}, and explained are ${formatAmount(explained)}`);
  }
}

async function userIds(ask: Ask, every: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Json = await ask(`/admin/v1/users?limit=${USERS_PER_PAGE}${cursor && `&cursor=${cursor}`}`);
    ids.push(...page.users.map(({ id }: Json) => id as string));
    cursor = page.next;
  }
  return ids.filter((_, place) => place % every === 0);
}

async function checkUser(ask: Ask, id: string, boards: readonly Json[], runs: number, sums: Sums): Promise<void> {
  const path = `/admin/v1/users/${encodeURIComponent(id)}`;
  const events = await allRows(ask, `${path}/events`, 'events');
  const { metrics, points } = await ask(path);
  for (const { key, total } of metrics)
    sums.equal(
      `${id}, total of ${key}`,
      parseAmount(total),
      sumOf(effectsOf(events, 'users', 'metric', key), 'change'),
    );
  for (const { system } of points) await checkPoints(ask, id, system, events, sums);
  const dates = datesOf(events);
  const newest = dates.at(-1);
  if (newest !== undefined) {
    const wasJoined = events.some(({ grant, effects }) => grant?.kind === 'streak' || effects.streaks.some(isRejoined));
    for (const query of ['', `&date=${newest}`]) await checkStreak(ask, id, query, wasJoined, sums);
  }
  for (const board of boards) await checkBoard(ask, id, board, spread(dates, runs), sums);
}

async function checkPoints(ask: Ask, id: string, system: string, events: readonly Json[], sums: Sums): Promise<void> {
  const path = `/admin/v1/users/${encodeURIComponent(id)}/explain/points/${system}`;
  const { total, recorded, due } = await ask(path);
  const what = `${id}, points ${system}`;
  const entries = await allRows(ask, path, 'entries');
  sums.equal(what, parseAmount(recorded), sumOf(entries, 'change'));
  sums.equal(`${what} with what is due`, parseAmount(total), parseAmount(recorded) + parseAmount(due));
  const isWhole = events.every(({ pointsLeftOut }) => pointsLeftOut === '0');
  const awards = effectsOf(events, 'points', 'system', system);
  if (isWhole) sums.equal(`${what} by events`, parseAmount(recorded), sumOf(awards, 'awarded'));
  checkChain(`${what}, running total`, entries, 'total', sums);
}

/**
 * Checks that each number is the previous one plus the change. @param rows newest first, including the oldest of all
 */
function checkChain(what: string, rows: readonly Json[], number: 'total' | 'value', sums: Sums): void {
  let before = 0n;
  for (const row of rows.toReversed()) {
    sums.equal(`${what} at ${row.at}`, parseAmount(row[number]), before + parseAmount(row.change));
    before = parseAmount(row[number]);
  }
}

/**
 * Checks that the length is that of the newest period, and that each met period adds one.
 * @param wasJoined by hand to the previous streak, which leaves the shown lengths of periods unchanged
 */
async function checkStreak(ask: Ask, id: string, query: string, wasJoined: boolean, sums: Sums): Promise<void> {
  const path = `/admin/v1/users/${encodeURIComponent(id)}/explain/streak?periods=${PERIODS_PER_PAGE}${query}`;
  const { length, periods } = await ask(path);
  const [newest, before] = periods;
  const last = newest?.status === 'open' ? before : newest;
  if (query === '' && !wasJoined) sums.equal(`${id}, streak`, parseAmount(length), parseAmount(last?.length ?? '0'));
  periods.forEach(({ periodStart, status, length: reached }: Json, place: number) => {
    const older = periods[place + 1];
    if (older === undefined ? periods.length === PERIODS_PER_PAGE : wasJoined && JOINED_BEHIND.has(older.status))
      return;
    const kept = parseAmount(older?.length ?? '0');
    const explained =
      { met: kept + parseAmount('1'), bridged: kept, skipped: kept, excused: kept }[status as string] ?? 0n;
    sums.equal(`${id}, streak in the period from ${periodStart}`, parseAmount(reached), explained);
  });
}

const isRejoined = ({ type }: Json): boolean => type === 'StreakRejoined';

/** The periods between a streak and the one joined to it. */
const JOINED_BEHIND: ReadonlySet<string> = new Set(['missed', 'excused']);

async function checkBoard(
  ask: Ask,
  id: string,
  { key, rankBy }: Json,
  dates: readonly string[],
  sums: Sums,
): Promise<void> {
  const path = `/admin/v1/users/${encodeURIComponent(id)}/explain/leaderboards/${key}`;
  const seen = new Set<string>();
  for (const query of ['', ...dates.map((date) => `run=${date}`)]) {
    const standing: Json = await ask(`${path}?${query}`);
    if (standing === null || standing.runStart === null || seen.has(standing.runStart)) continue;
    const { runStart, value } = standing;
    seen.add(runStart);
    const what = `${id}, ${key} from ${runStart}`;
    const contributions = await allRows(ask, path, 'contributions', `&run=${runStart}`);
    checkChain(what, contributions, 'value', sums);
    sums.equal(what, parseAmount(value ?? '0'), sumOf(contributions, 'change'));
    if (rankBy === 'points')
      for (const { at, event, awards, change } of contributions)
        if (event.type !== 'CorrectionRecorded')
          sums.equal(`${what} at ${at}, awards`, parseAmount(change), sumOf(awards ?? [], 'change'));
  }
}

async function allRows(
  ask: Ask,
  path: string,
  rows: 'events' | 'entries' | 'contributions',
  query = '',
): Promise<readonly Json[]> {
  const all: Json[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Json = await ask(`${path}?limit=${ROWS_PER_PAGE}${query}${cursor && `&cursor=${cursor}`}`);
    all.push(...page[rows]);
    cursor = page.next;
  }
  return all;
}

const effectsOf = (events: readonly Json[], area: string, name: 'metric' | 'system', key: string): readonly Json[] =>
  events.flatMap(({ effects }) => effects[area].filter((effect: Json) => effect[name] === key && 'total' in effect));

const sumOf = (rows: readonly Json[], field: 'change' | 'awarded'): Amount =>
  rows.reduce<Amount>((sum, row) => sum + parseAmount(row[field]), 0n);

/** The dates on the user's clock on which something counted, ascending. */
const datesOf = (events: readonly Json[]): readonly string[] =>
  [
    ...new Set<string>(
      events
        .flatMap(({ effects }) => [...effects.users, ...effects.points])
        .flatMap(({ date }) => (date === undefined ? [] : [date])),
    ),
  ].sort();

/** At most `most` of the values, including the first and the last. */
function spread<Value>(values: readonly Value[], most: number): readonly Value[] {
  if (values.length <= most) return values;
  const step = (values.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, place) => values[Math.round(place * step)] as Value);
}
