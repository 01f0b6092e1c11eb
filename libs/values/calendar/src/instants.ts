import { parseDate } from './dates.ts';
import type { Instant } from './types.ts';

const INSTANT = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?(?:Z|([+-])(\d{2}):(\d{2}))$/;

/**
 * One month within the years 0001 to 9999, so that the date of an instant on any clock, and the neighbouring periods, can be written.
 * Because input outside of this range is refused, no rule has to handle it.
 */
const EARLIEST: Instant = Date.parse('0001-02-01T00:00:00Z');
const LATEST: Instant = Date.parse('9999-11-30T00:00:00Z');

/**
 * The instant that a date and time of day in ISO 8601 (extended form, `Z` or an offset `±hh:mm`) names, in ms; digits after the ms
 * are dropped. null for anything else, for leap seconds and 24:00, and outside of 0001-02-01 to 9999-11-30.
 */
export function parseInstant(text: string): Instant | null {
  const match = INSTANT.exec(text);
  if (!match) return null;
  const [, date = '', hours, minutes, seconds = '00', fraction = '', sign, offsetHours = '00', offsetMinutes = '00'] =
    match;
  if (parseDate(date) === null) return null;
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return null;
  if (Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return null;
  const local = Date.parse(`${date}T${hours}:${minutes}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z`);
  const offsetMs = (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60_000;
  const instant = sign === '-' ? local + offsetMs : local - offsetMs;
  return instant >= EARLIEST && instant <= LATEST ? instant : null;
}

const REMEMBERED = 64;
const instants = new Float64Array(REMEMBERED).fill(Number.NaN);
const texts: string[] = new Array<string>(REMEMBERED).fill('');

/**
 * For example `2014-05-21T10:30:00.000Z`. Some texts are cached, because the effects of one batch repeat a few
 * instants.
 * @throws RangeError if it is not an instant.
 */
export function formatInstant(instant: Instant): string {
  const place = Math.abs(Math.trunc(instant / 1_000)) % REMEMBERED || 0;
  if (instants[place] !== instant) {
    texts[place] = new Date(instant).toISOString();
    instants[place] = instant;
  }
  return texts[place] as string;
}
