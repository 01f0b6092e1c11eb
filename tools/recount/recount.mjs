/**
 * The counters that a service must have, recounted in a simple way from its exports. Shares no code with the code that
 * counts: `Intl` computes dates, and plain JavaScript adds.
 *
 * @typedef {{ timestamp: string, userId: string, metric: string, value: number, tz: string }} Event in the order of
 *   recording
 * @typedef {{ at: string, date: string, userId: string, points: string, awarded: number }} Award
 * @typedef {{ points: Record<string, number>, streak: { length: number, history: Record<string, number> } }} User
 * @typedef {{ key: string, points: number }} Level
 * @typedef {{ events: readonly Event[], awards: readonly Award[], users: Record<string, User> }} Exported
 * @typedef {{ days: object, survival: object, levels: object, distribution: object }} Counters
 */

/**
 * @param {Exported} exported
 * @param {Record<string, readonly Level[]>} levelsOf the levels of every points system
 * @returns {Counters}
 */
export function recount({ events, awards, users }, levelsOf) {
  const systems = Object.keys(levelsOf);
  const totals = new Map(
    systems.map((system) => [system, Object.values(users).map(({ points }) => points[system] ?? 0)]),
  );
  const bySystem = (count) => Object.fromEntries(systems.map((system) => [system, count(totals.get(system), system)]));
  return {
    days: recountDays(events, awards),
    survival: recountSurvival(Object.values(users).map(({ streak }) => streak)),
    levels: bySystem((all, system) => usersByLevel(all, levelsOf[system])),
    distribution: bySystem(usersByRange),
  };
}

/** The counts by date, without dates on which nothing happened. */
function recountDays(events, awards) {
  const days = {};
  const dayOf = (date) => (days[date] ??= { events: 0, activeUsers: 0, newUsers: 0, metrics: {}, points: {} });
  const eventsOf = new Map();
  const latest = new Map();
  for (const { timestamp, userId, metric, value, tz } of events) {
    const at = Date.parse(timestamp);
    const date = localDate(at, tz);
    const day = dayOf(date);
    day.events += 1;
    const ofMetric = (day.metrics[metric] ??= { events: 0, value: 0 });
    ofMetric.events += 1;
    ofMetric.value += value;
    if (!eventsOf.has(userId)) {
      eventsOf.set(userId, []);
      day.newUsers += 1;
    }
    eventsOf.get(userId).push({ at, tz });
    // A user is active only on dates later than all their dates before: after a move to the west, an earlier date does
    // not count.
    if (!(latest.get(userId) >= date)) {
      latest.set(userId, date);
      day.activeUsers += 1;
    }
  }
  for (const { at, date, userId, points, awarded } of awards) {
    const own = dateOfAward(eventsOf.get(userId), Date.parse(at), date);
    const ofSystem = (dayOf(own).points[points] ??= { awarded: 0, consumed: 0 });
    if (awarded > 0) ofSystem.awarded += awarded;
    else ofSystem.consumed -= awarded;
  }
  return days;
}

/**
 * The date of an award, in the zone of the user's last event before it. If several events have that instant and the
 * user moved between them, each of their zones is possible; then the date of the award must be the date in one of them.
 */
function dateOfAward(events, at, itsOwn) {
  const last = events.findLast((event) => event.at <= at);
  const possible = events.filter((event) => event.at === last.at).map(({ tz }) => localDate(at, tz));
  return possible.includes(itsOwn) ? itsOwn : possible.at(-1);
}

const formats = new Map();
const dates = new Map();
/** In no zone does the date change within a quarter of an hour, so dates are cached by quarter. */
const QUARTER_MS = 900_000;
const DAY_MS = 86_400_000;

function localDate(at, tz) {
  const key = `${tz} ${Math.floor(at / QUARTER_MS)}`;
  let date = dates.get(key);
  if (date === undefined) {
    if (!formats.has(tz)) formats.set(tz, new Intl.DateTimeFormat('sv-SE', { timeZone: tz }));
    date = formats.get(tz).format(at);
    dates.set(key, date);
  }
  return date;
}

/**
 * How many daily streaks reached each length, and how many ended at it. A day with the same length as the day before
 * was skipped or bridged: on it, no length was reached and no streak ended.
 */
function recountSurvival(streaks) {
  const reached = {};
  const ended = {};
  const add = (counts, length) => (counts[length] = (counts[length] ?? 0) + 1);
  for (const { length, history } of streaks) {
    let before = null;
    for (const date of Object.keys(history).sort()) {
      const now = { date, length: history[date] };
      const follows = before !== null && Date.parse(date) - Date.parse(before.date) === DAY_MS;
      if (!follows || now.length !== before.length) add(reached, now.length);
      if (before !== null && now.length < before.length + 1 && !(follows && now.length === before.length))
        add(ended, before.length);
      before = now;
    }
    if (before !== null && length === 0) add(ended, before.length);
  }
  const all = Object.keys(reached).map(Number);
  return {
    lengths: Object.fromEntries(all.map((length) => [length, { reached: reached[length], ended: ended[length] ?? 0 }])),
    longest: Math.max(0, ...all),
  };
}

/** Returns null if the system has no levels; the service then refuses the request. */
function usersByLevel(totals, levels) {
  if (levels.length === 0) return null;
  const lowestFirst = levels.toSorted((a, b) => a.points - b.points);
  const users = Object.fromEntries(levels.map(({ key }) => [key, 0]));
  for (const total of totals) {
    const level = lowestFirst.findLast(({ points }) => points <= total);
    if (level !== undefined) users[level.key] += 1;
  }
  return users;
}

/** The users without points, then ten equal ranges up to the lowest power of ten that no total exceeds. */
function usersByRange(totals) {
  let top = 10;
  while (totals.some((total) => total > top)) top *= 10;
  const width = top / 10;
  const ranges = { '0–0': totals.filter((total) => total === 0).length };
  for (let to = width; to <= top; to += width)
    ranges[`${to - width + 1}–${to}`] = totals.filter((total) => total > to - width && total <= to).length;
  return ranges;
}
