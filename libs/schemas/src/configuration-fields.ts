import { UNITS, amountFromNumber } from '@laurel/amounts';
import type { Amount } from '@laurel/amounts';
import { parseDate, parseInstant } from '@laurel/calendar';
import { z } from 'zod';

// The values that a configuration document is made of. The message of each refinement is the phrase that follows "expected".

/** The exact amount of a threshold or metric value; null if it has more than six decimals or is too large to be exact. */
export function documentAmount(value: number): Amount | null {
  return amountFromNumber(value) ?? (Number.isSafeInteger(value) ? BigInt(value) * UNITS : null);
}

/** Postgres stores neither NUL nor a lone surrogate: a batch with such a text fails. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/** A text with these numbers of code points, which JSON Schema counts as well. */
export const text = (minLength: number, maxLength: number) =>
  z
    .string()
    .refine((value) => !UNSTORABLE.test(value), { error: 'text without NUL or lone surrogates' })
    .refine((value) => isWithin([...value].length, minLength, maxLength), {
      error:
        minLength === 0 ? `text of at most ${maxLength} characters` : `text of ${minLength} to ${maxLength} characters`,
    })
    .meta({ minLength, maxLength });

const isWithin = (count: number, least: number, most: number) => count >= least && count <= most;

export const key = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
export const ownKey = key.describe(
  'Identifies the entry in paths, answers and the log; unique within its list. 1 to 64 letters, digits, _ or -. Another key means another entry.',
);
export const name = text(1, 255).describe('Name that people read.');
export const description = text(0, 1000)
  .nullable()
  .default(null)
  .describe('Text that people read below the name. null: no text.');
export const badgeUrl = z
  .url({ protocol: /^https?$/, abort: true })
  .refine((value) => value.length <= 2048 && !/\s/.test(value) && !UNSTORABLE.test(value), {
    error: 'an http or https address of at most 2048 characters, without spaces',
  })
  .meta({ maxLength: 2048 })
  .nullable()
  .default(null)
  .describe('Address of an image, http or https. null: no image.');

/** The largest value: beyond it, a JSON number no longer identifies one integer. */
const LARGEST = Number.MAX_SAFE_INTEGER;

export const amount = z
  .number()
  .positive()
  .max(LARGEST, { abort: true })
  .refine((value) => documentAmount(value) !== null, { error: 'a number with at most 6 decimals' });

export const points = z
  .int()
  .min(-1_000_000_000)
  .max(1_000_000_000)
  .refine((value) => value !== 0, { error: 'a number other than 0' })
  .meta({ not: { const: 0 } });

export const length = z.int().min(1).max(100_000);

export const date = z.iso
  .date({ abort: true })
  .refine((value) => parseDate(value) !== null, { error: 'a date within the years 0001 to 9999' });
export const instant = z.iso
  .datetime({ abort: true })
  .refine((value) => parseInstant(value) !== null, { error: 'an instant within the years 0001 to 9999' });

const HOUR_MS = 3_600_000;
const KEPT = /^(\d{1,4})([hd])$/;
const LONGEST_KEPT_MS = 90 * 24 * HOUR_MS;

/** Milliseconds of a time such as `12h` or `7d`; null unless it is a time from 1h to 90d. */
export function keptMs(text: string): number | null {
  const [, count, unit] = KEPT.exec(text) ?? [];
  const ms = Number(count) * (unit === 'd' ? 24 * HOUR_MS : HOUR_MS);
  return ms >= HOUR_MS && ms <= LONGEST_KEPT_MS ? ms : null;
}

/** How long outcomes are kept, unless a configuration says otherwise. */
export const KEPT_BY_DEFAULT = '7d';

export const keep = z
  .string()
  .refine((value) => keptMs(value) !== null, { error: 'a time from 1h to 90d, such as 12h or 7d' })
  .meta({ pattern: KEPT.source });

export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

const TIME = /^([01][0-9]|2[0-3]):([0-5][0-9])$/;

/** Minutes since 00:00 of a time as {@link time} accepts it. */
export function minutesOf(text: string): number {
  const [, hours, minutes] = TIME.exec(text) ?? [];
  return Number(hours) * 60 + Number(minutes);
}

export const time = z
  .string()
  .refine((value) => TIME.test(value), { error: 'a time from 00:00 to 23:59, such as 18:00' })
  .meta({ pattern: TIME.source });
