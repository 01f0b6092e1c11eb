import {
  type DatedChanges,
  type DateRange,
  type Instant,
  localDate,
  type LocalDate,
  type Zone,
} from '@laurel/calendar';
import { addTo } from './dated-changes.ts';
import type { Debt } from './settle.ts';
import { timeAwards } from './time-awards.ts';
import { timeTally } from './time-tally.ts';

const DAY_MS = 86_400_000;

/** No clock is this far from UTC, so beyond it an instant's date lies outside of the range for certain. */
const MARGIN_MS = 2 * DAY_MS;

/** What due awards add around a range. Walks only those in and near it; what lies before is one sum. */
export function dueChanges({ schedule, window, total }: Debt, clock: Zone, range: DateRange): DatedChanges {
  const start = within(midnight(range.from) - MARGIN_MS, window.after, window.upTo);
  const end = within(midnight(range.to) + DAY_MS + MARGIN_MS, start, window.upTo);
  const passed = timeTally(schedule, { after: window.after, upTo: start }, total);
  let before = passed.total - total;
  const byDate = new Map<LocalDate, bigint>();
  for (const { at, awarded } of timeAwards(schedule, { after: start, upTo: end }, passed.total)) {
    const date = localDate(at, clock);
    if (date < range.from) before += awarded;
    else if (date <= range.to) addTo(byDate, date, awarded);
  }
  return { before, byDate };
}

function midnight(date: LocalDate): Instant {
  return Date.parse(`${date}T00:00:00Z`);
}

function within(instant: Instant, low: Instant, high: Instant): Instant {
  return Math.max(low, Math.min(instant, high));
}
