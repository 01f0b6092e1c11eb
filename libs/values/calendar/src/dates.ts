import type { LocalDate } from './types.ts';

/** A date as days since 1970-01-01 (proleptic Gregorian calendar). */
export type DayNumber = number;

export const DAY_MS = 86_400_000;

/** 0001-01-01 and 9999-12-31, the first and the last date that `YYYY-MM-DD` can write. */
export const FIRST_DAY: DayNumber = -719_162;
export const LAST_DAY: DayNumber = 2_932_896;

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const REMEMBERED = 50_000;

const texts = new Map<DayNumber, LocalDate>();
const numbers = new Map<LocalDate, DayNumber>();

/** Returns the text if it is an existing date of the years 0001 to 9999, written `YYYY-MM-DD`; otherwise null. */
export function parseDate(text: string): LocalDate | null {
  const match = DATE.exec(text);
  if (!match) return null;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const valid = year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
  return valid ? text : null;
}

/** @throws RangeError if it is not a date. */
export function dayNumber(date: LocalDate): DayNumber {
  const known = numbers.get(date);
  if (known !== undefined) return known;
  if (parseDate(date) === null) throw new RangeError(`not a date: ${JSON.stringify(date)}`);
  return remember(numbers, date, Date.parse(`${date}T00:00:00Z`) / DAY_MS);
}

/** @throws RangeError outside of the years 0001 to 9999. */
export function dateOfDay(day: DayNumber): LocalDate {
  const known = texts.get(day);
  if (known !== undefined) return known;
  if (!(day >= FIRST_DAY && day <= LAST_DAY)) throw new RangeError(`no date of the years 0001 to 9999: day ${day}`);
  return remember(texts, day, new Date(day * DAY_MS).toISOString().slice(0, 10));
}

/** `n` days later (earlier if negative). @throws RangeError outside of the years 0001 to 9999. */
export function addDays(date: LocalDate, n: number): LocalDate {
  return dateOfDay(dayNumber(date) + n);
}

/** The number of days from `from` to `to`; negative if `to` is earlier. */
export function daysBetween(from: LocalDate, to: LocalDate): number {
  return dayNumber(to) - dayNumber(from);
}

/**
 * `n` months after `anchor` (before it if negative); the last day of a shorter month. Count from the anchor, not from a previous result:
 * 01-31 gives 02-28 and then 03-31. @throws RangeError outside of the years 0001 to 9999.
 */
export function addMonths(anchor: LocalDate, n: number): LocalDate {
  const { year, month, day } = partsOf(anchor);
  const months = year * 12 + (month - 1) + n;
  const [toYear, toMonth] = [Math.floor(months / 12), (((months % 12) + 12) % 12) + 1];
  if (toYear < 1 || toYear > 9999) throw new RangeError(`no date of the years 0001 to 9999: ${anchor} ${n} months on`);
  return written(toYear, toMonth, Math.min(day, daysInMonth(toYear, toMonth)));
}

/** The last date of the month of `date`. */
export function endOfMonth(date: LocalDate): LocalDate {
  const { year, month } = partsOf(date);
  return written(year, month, daysInMonth(year, month));
}

/** Days since Monday: 0 on a Monday, 6 on a Sunday. */
export function daysSinceMonday(date: LocalDate): number {
  return (((dayNumber(date) + 3) % 7) + 7) % 7;
}

function partsOf(date: LocalDate): { year: number; month: number; day: number } {
  dayNumber(date);
  return { year: Number(date.slice(0, 4)), month: Number(date.slice(5, 7)), day: Number(date.slice(8, 10)) };
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function written(year: number, month: number, day: number): LocalDate {
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

/** The maps only save repeated work, so a full one is cleared. */
function remember<K, V>(known: Map<K, V>, key: K, value: V): V {
  if (known.size >= REMEMBERED) known.clear();
  known.set(key, value);
  return value;
}
