import type { Instant } from '@laurel/calendar';
import { parseInstant } from '@laurel/calendar/instants';

/** When a key expires: at an instant, or after a duration. */
export type Expiry =
  { readonly type: 'instant'; readonly at: Instant } | { readonly type: 'after'; readonly hours: number };

const HOURS: ReadonlyMap<string, number> = new Map([
  ['h', 1],
  ['d', 24],
  ['w', 7 * 24],
]);
const HOUR_MS = 3_600_000;
/** A hundred years: for a longer time, the unit is probably a mistake. */
const MOST_HOURS = 876_600;

/** null if the text is neither an instant nor a number of hours, days or weeks. */
export function parseExpiry(text: string): Expiry | null {
  const [, count, unit] = /^([1-9]\d{0,6})([hdw])$/.exec(text) ?? [];
  if (count !== undefined && unit !== undefined) {
    const hours = Number(count) * (HOURS.get(unit) ?? 0);
    return hours <= MOST_HOURS ? { type: 'after', hours } : null;
  }
  const at = parseInstant(text);
  return at === null ? null : { type: 'instant', at };
}

export const expiryOf = (expiry: Expiry, now: Instant): Instant =>
  expiry.type === 'instant' ? expiry.at : now + expiry.hours * HOUR_MS;
