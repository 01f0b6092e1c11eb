/**
 * An exact decimal with six places: an integer count of millionths (specification, section 1 "Numbers").
 *
 * `bigint`, because totals are exact at any size: 0.1 + 0.2 is 0.3, and a total may outgrow what a double can hold.
 */
export type Amount = bigint;

export const ZERO: Amount = 0n;

/** One whole, in millionths. */
export const UNITS: Amount = 1_000_000n;

const DECIMAL = /^(-?)(\d+)(?:\.(\d{1,6}))?$/;

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

/** Reads what {@link formatAmount} wrote. @throws RangeError for anything else. */
export function parseAmount(text: string): Amount {
  const match = DECIMAL.exec(text);
  if (!match) throw new RangeError(`not a decimal with at most six places: ${JSON.stringify(text)}`);
  const [, sign, whole = '', fraction = ''] = match;
  const millionths = BigInt(whole + fraction.padEnd(6, '0'));
  return sign === '-' ? -millionths : millionths;
}

/** Writes an amount digit by digit, without trailing zeros and without an exponent: `-0.000001`, `12`, `0.3`. */
export function formatAmount(amount: Amount): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(7, '0');
  const whole = digits.slice(0, -6);
  const fraction = digits.slice(-6).replace(/0+$/, '');
  return `${amount < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** How many whole multiples of `threshold` (> 0) `sum` has reached; 0 for a negative sum. */
export function timesReached(sum: Amount, threshold: Amount): bigint {
  return sum <= 0n ? 0n : sum / threshold;
}
