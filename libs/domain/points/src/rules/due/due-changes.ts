import { subtract } from '@laurel/amounts';
import {
  dayAt,
  formatDay,
  parseDay,
  type DatedChanges,
  type DateRange,
  type Day,
  type Instant,
  type LocalDate,
  type Zone,
} from '@laurel/calendar';
import { addTo } from './dated-changes.ts';
import { tallyOf } from './tally.ts';
import { timeAwards, type Debt } from './time-awards.ts';

const DAY_MS = 86_400_000;

/** No clock is this far from UTC: beyond this margin, an instant's day is certainly outside the range. */
const MARGIN_MS = 2 * DAY_MS;

/** The due awards around a range, by date. Walks only awards in and near the range, and sums the earlier ones. */
export function dueChanges(debt: Debt, clock: Zone, range: DateRange): DatedChanges {
  const { window } = debt;
  const [from, to] = [parseDay(range.from), parseDay(range.to)];
  const start = within(midnight(from) - MARGIN_MS, window.after, window.upTo);
  const end = within(midnight(to + 1) + MARGIN_MS, start, window.upTo);
  const passed = tallyOf({ ...debt, window: { after: window.after, upTo: start } });
  let before = BigInt(subtract(passed.total, debt.total));
  const byDate = new Map<LocalDate, bigint>();
  for (const { at, awarded } of timeAwards({ ...debt, window: { after: start, upTo: end }, total: passed.total })) {
    const day = dayAt(at, clock);
    if (day < from) before += BigInt(awarded);
    else if (day <= to) addTo(byDate, formatDay(day), BigInt(awarded));
  }
  return { before, byDate };
}

/** Dates in UTC. */
const midnight = (day: Day): Instant => day * DAY_MS;

const within = (instant: Instant, low: Instant, high: Instant): Instant => Math.max(low, Math.min(instant, high));
