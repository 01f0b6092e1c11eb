import { formatMillionths, parseMillionths } from './exact.ts';

/**
 * An exact decimal with six places: an integer count of millionths (specification, section 1 "Numbers").
 *
 * `bigint`, because totals are exact at any size: 0.1 + 0.2 is 0.3, and a total may outgrow what a double can hold.
 */
export type Amount = bigint;

export const ZERO: Amount = 0n;

/** One whole, in millionths. */
export const UNITS: Amount = 1_000_000n;

/**
 * The exact amount that a JSON number stands for, or null if it is not finite or has more than six decimals.
 *
 * Exact for |value| < 2³³: there neighbouring doubles lie closer together than one millionth.
 */
export function amountFromNumber(value: number): Amount | null {
  if (!Number.isFinite(value)) return null;
  const millionths = Math.round(value * 1e6);
  return Number.isSafeInteger(millionths) && millionths / 1e6 === value ? BigInt(millionths) : null;
}

const SHORTEST_TEXT = /^-?(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;

/**
 * A finite number as an amount, rounded to six decimals, half away from zero (specification, section 1 "Numbers"). Rounds the
 * shortest decimal that reads back as the same double, digit by digit: 0.30000000000000004 becomes 0.3, and 0.0000005 becomes 0.000001.
 *
 * @returns null for NaN and the infinities.
 */
export function roundedAmount(value: number): Amount | null {
  return amountFromNumber(value) ?? roundedText(String(value));
}

function roundedText(written: string): Amount | null {
  const match = SHORTEST_TEXT.exec(written);
  if (!match) return null;
  const [, whole = '', fraction = '', exponent = '0'] = match;
  const digits = whole + fraction;
  const millionthsEnd = whole.length + Number(exponent) + 6;
  const kept = BigInt(digits.slice(0, Math.max(0, millionthsEnd)).padEnd(millionthsEnd, '0') || '0');
  const dropped = millionthsEnd < 0 ? '0' : (digits[millionthsEnd] ?? '0');
  const millionths = dropped >= '5' ? kept + 1n : kept;
  return written.startsWith('-') ? -millionths : millionths;
}

/** Reads what {@link formatAmount} wrote. @throws RangeError for anything else. */
export const parseAmount = (text: string): Amount => BigInt(parseMillionths(text));

/** Writes an amount digit by digit, without trailing zeros and without an exponent: `-0.000001`, `12`, `0.3`. */
export const formatAmount = (amount: Amount): string => formatMillionths(amount);
