// Computes from each user's events who must be reminded of what and when, without the code of the rules.
const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];
const WEEK = 7;
const LATEST_MS = HOUR_MS;

/**
 * @typedef {object} Line an event in the format of an import
 * @typedef {object} Terms
 * @property {number} atRisk minutes of the day
 * @property {{ weekday: number, minutes: number }} recap `weekday`: 0 is Sunday
 * @property {readonly number[]} reactivation days
 * @property {Record<string, number>} conditions threshold by metric; a day is met if one of them is reached
 * @property {number} sweepEveryMs sweeps happen at its multiples, after events of the same instant
 *
 * @param {readonly Line[]} lines in order of time, each recorded when it happened
 * @param {Terms} terms of a daily streak without freezes
 * @param {number} until the last sweep
 * @returns {string[]} sorted
 */
export function recountReminders(lines, terms, until) {
  const users = new Map();
  for (const { user, metric, value, timestamp } of lines) {
    const events = users.get(user.id) ?? [];
    users.set(user.id, events);
    events.push({ at: Date.parse(timestamp), tz: user.tz, metric, value });
  }
  return [...users]
    .flatMap(([id, events]) => {
      const looks = looksOf(events, terms, until);
      return [...atRisk(looks, terms), ...recaps(looks, terms), ...reactivations(looks, terms)].map(
        (words) => `${id} ${words}`,
      );
    })
    .sort();
}

/**
 * Each event with the user's zone after it, and a function that tells which sweep settles something before the next
 * event.
 */
function looksOf(events, { sweepEveryMs }, until) {
  let zone = 'UTC';
  return events.map((event, place) => {
    zone = event.tz ?? zone;
    const next = events[place + 1]?.at ?? Infinity;
    /** The sweep that settles, before the next event, what is due at this time; null if there is none. */
    const sweepOf = (due) => {
      const tick = Math.ceil(Math.max(due, event.at + 1) / sweepEveryMs) * sweepEveryMs;
      return tick < next && tick <= until ? tick : null;
    };
    return { ...event, zone, sweepOf };
  });
}

function atRisk(looks, { atRisk: minutes, conditions }) {
  const words = [];
  let [last, zoneAtMet, length, reached, told] = [-Infinity, 'UTC', 0, -Infinity, -Infinity];
  let sums = {};
  for (const { at, zone, metric, value, sweepOf } of looks) {
    const day = Math.max(reached, dayAt(at, zone));
    if (day > reached) sums = {};
    reached = day;
    sums[metric] = (sums[metric] ?? 0) + value;
    const isMet = Object.entries(conditions).some(([key, threshold]) => (sums[key] ?? 0) >= threshold);
    const endIn = (clock) => startOfDay(nextShown(last, clock) + 1, clock);
    if (day > last && isMet) {
      length = length > 0 && at < Math.max(endIn(zone), endIn(zoneAtMet)) ? length + 1 : 1;
      [last, zoneAtMet] = [day, zone];
    }
    if (length === 0) continue;
    const end = Math.max(endIn(zone), endIn(zoneAtMet));
    const period = nextShown(last, zone);
    if (at >= end || period <= told) continue;
    const lastDay = dayAt(end - 1, zone);
    const due = [lastDay, lastDay - 1].map((date) => instantOn(date, minutes, zone)).find((instant) => instant < end);
    const settled = due <= at ? at : sweepOf(due);
    if (settled === null) continue;
    told = period;
    if (settled - due <= LATEST_MS) words.push(`streak.at_risk ${timeOf(due)} length ${length} ends ${timeOf(end)}`);
  }
  return words;
}

function recaps(looks, { recap: { weekday, minutes } }) {
  const words = [];
  const weeks = new Map();
  for (const { at, zone, metric, value, sweepOf } of looks) {
    const day = dayAt(at, zone);
    let on = day + 1;
    while (new Date(on * DAY_MS).getUTCDay() !== weekday) on += 1;
    const week = weeks.get(on) ?? { told: false, totals: {} };
    weeks.set(on, week);
    if (!week.told) week.totals[metric] = (week.totals[metric] ?? 0) + value;
    for (const [date, { told, totals }] of weeks) {
      if (told) continue;
      const due = instantOn(date, minutes, zone);
      const settled = due <= at ? at : sweepOf(due);
      if (settled === null) continue;
      weeks.get(date).told = true;
      const sums = Object.keys(totals)
        .sort()
        .map((key) => `${key} ${totals[key]}`);
      if (settled - due <= LATEST_MS)
        words.push(`emails.recap_due ${timeOf(due)} ${dateOf(date - WEEK)} ${sums.join()}`);
    }
  }
  return words;
}

const reactivations = (looks, { reactivation }) =>
  looks.flatMap(({ at, sweepOf }) =>
    reactivation.flatMap((days, place) => {
      const due = at + days * DAY_MS;
      const settled = sweepOf(due);
      const isNotified = settled !== null && settled - due <= LATEST_MS;
      return isNotified ? [`emails.reactivation_due ${timeOf(due)} message ${place + 1} after ${days}`] : [];
    }),
  );

const timeOf = (at) => new Date(at).toISOString();
const dateOf = (day) => timeOf(day * DAY_MS).slice(0, 10);

const formats = new Map();
const offsets = new Map();

/** The offset of a zone, cached by quarter of an hour: clocks change only at the beginning of one. */
function offsetAt(at, zone) {
  const quarter = Math.floor(at / (15 * MINUTE_MS));
  const key = `${zone} ${quarter}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  const fields = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' };
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('en-US', { ...fields, timeZone: zone, hourCycle: 'h23' });
  formats.set(zone, format);
  const start = quarter * 15 * MINUTE_MS;
  const of = Object.fromEntries(format.formatToParts(start).map(({ type, value }) => [type, Number(value)]));
  const offset = Date.UTC(of.year, of.month - 1, of.day, of.hour, of.minute) - start;
  offsets.set(key, offset);
  return offset;
}

const dayAt = (at, zone) => Math.floor((at + offsetAt(at, zone)) / DAY_MS);

/**
 * The first instant at which the clock shows this time of day or, if it never does, the first at which it shows a later
 * one.
 */
function instantOn(day, minutes, zone) {
  const wall = day * DAY_MS + minutes * MINUTE_MS;
  const around = [-1, 0, 1].map((days) => offsetAt(wall + days * 27 * HOUR_MS, zone));
  const shown = around.map((offset) => wall - offset).filter((at) => at + offsetAt(at, zone) === wall);
  if (shown.length > 0) return Math.min(...shown);
  let at = wall - 16 * HOUR_MS;
  while (at + offsetAt(at, zone) < wall) at += 15 * MINUTE_MS;
  return at;
}

const startOfDay = (day, zone) => instantOn(day, 0, zone);

function nextShown(day, zone) {
  let next = day + 1;
  while (dayAt(startOfDay(next, zone), zone) !== next) next += 1;
  return next;
}
