const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const EXACT = new Intl.NumberFormat('en', { maximumFractionDigits: 6 });
const SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

export const whole = (value: number): string => WHOLE.format(value);
export const exact = (value: number): string => EXACT.format(value);
export const short = (value: number): string => (Math.abs(value) < 10_000 ? WHOLE.format(value) : SHORT.format(value));
/** A number with its sign. */
export const change = (value: number): string => (value > 0 ? `+${exact(value)}` : exact(value));

const RATE = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const LEAST_RATE = 0.1;
/** A rate per second. A small rate is never shown as 0. */
export const perSecond = (rate: number): string =>
  rate > 0 && rate < LEAST_RATE / 2 ? `<${LEAST_RATE}` : RATE.format(rate);

const AGO = new Intl.RelativeTimeFormat('en');
const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/**
 * Time since an instant, in the largest unit that fits, rounded down: a day and a half is one day. After more than a
 * month, the date. Never `yesterday`, which would depend on a calendar.
 */
export function ago(instant: string, now = Date.now()): string {
  const ms = Date.parse(instant) - now;
  if (Math.abs(ms) > 30 * 86_400_000) return instant.slice(0, 10);
  const fitting = UNITS.find(([, length]) => Math.abs(ms) >= length);
  if (fitting === undefined) return 'now';
  const [unit, length] = fitting;
  return AGO.format(Math.trunc(ms / length), unit);
}

const KNOWN = new Map<string, boolean>();

/** The zone; UTC if this browser does not know it. */
export function knownZone(zone: string): string {
  const known = KNOWN.get(zone) ?? isKnown(zone);
  KNOWN.set(zone, known);
  return known ? zone : 'UTC';
}

function isKnown(timeZone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone }));
  } catch {
    return false;
  }
}

/** Today's date in a zone. */
export const todayIn = (zone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: knownZone(zone) }).format(new Date());

/** An instant in a zone that this browser knows. */
export const localTime = (instant: string, zone: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: zone }).format(
    new Date(instant),
  );

/** For example `1 event` or `2 events`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${whole(count)} ${count === 1 ? one : many}`;

/** A size in the largest unit that gives at least one. */
export function bytes(size: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const place = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, size)) / 3)));
  return `${(size / 1_000 ** place).toLocaleString('en', { maximumFractionDigits: 1 })} ${units[place] ?? ''}`;
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** A date for the axis of a chart. */
export const dayText = (date: string): string => DAY.format(new Date(`${date}T00:00:00Z`));

const SHARE = new Intl.NumberFormat('en', {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
const LEAST_SHARE = 0.001;

/** A share with one decimal, so that columns are aligned. A small share is never shown as 0. @param share 1 is 100 % */
export const percent = (share: number): string =>
  share > 0 && share < LEAST_SHARE / 2 ? `<${SHARE.format(LEAST_SHARE)}` : SHARE.format(share);

/** A share for the lines of a chart. */
export const wholePercent = (share: number): string => `${Math.round(share * 100)}%`;
