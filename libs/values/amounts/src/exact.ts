/**
 * An exact integer of any size: a number while it is a safe integer, a bigint beyond. A value has one form only, so `===`
 * compares, and `<` compares numbers and bigints exactly. Most values are numbers, which cost a tenth of a bigint.
 *
 * Amounts are counts of millionths in this form (specification, section 1 "Numbers"); points are whole.
 */
export type Exact = number | bigint;

/** An integer in its only form: a number if it is safe, otherwise a bigint. */
export function exactOf(value: bigint): Exact {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

export function add(a: Exact, b: Exact): Exact {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return exactOf(BigInt(a) + BigInt(b));
}

export function subtract(a: Exact, b: Exact): Exact {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return exactOf(BigInt(a) - BigInt(b));
}

export function multiply(a: Exact, b: Exact): Exact {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    // `|| 0` turns -0 into 0.
    if (Number.isSafeInteger(product)) return product || 0;
  }
  return exactOf(BigInt(a) * BigInt(b));
}

export const negate = (a: Exact): Exact => subtract(0, a);

export const smaller = (a: Exact, b: Exact): Exact => (a < b ? a : b);

/** How many whole multiples of `step` (> 0) `sum` has reached; 0 for a negative sum. */
export function multiplesReached(sum: Exact, step: Exact): Exact {
  if (sum <= 0) return 0;
  if (typeof sum === 'number' && typeof step === 'number') return (sum - (sum % step)) / step;
  return exactOf(BigInt(sum) / BigInt(step));
}

const MILLION = 1_000_000;

/** A whole number as a count of millionths. */
export const millionthsOf = (whole: Exact): Exact => multiply(whole, MILLION);

/** Writes a count of millionths as a decimal, without trailing zeros and without an exponent. */
export function formatMillionths(millionths: Exact): string {
  if (typeof millionths === 'number' && millionths % MILLION === 0) return String(millionths / MILLION);
  const text = String(millionths);
  const digits = (text.startsWith('-') ? text.slice(1) : text).padStart(7, '0');
  const fraction = digits.slice(-6).replace(/0+$/, '');
  return `${text.startsWith('-') ? '-' : ''}${digits.slice(0, -6)}${fraction === '' ? '' : `.${fraction}`}`;
}

const WHOLE = /^-?\d{1,9}$/;

/** Reads what {@link formatMillionths} wrote. @throws RangeError for anything else. */
export function parseMillionths(text: string): Exact {
  if (WHOLE.test(text)) return Number(text) * MILLION || 0;
  const match = DECIMAL.exec(text);
  if (match === null) throw new RangeError(`not a decimal with at most six places: ${JSON.stringify(text)}`);
  const [, sign = '', whole = '', fraction = ''] = match;
  return exactOf(BigInt(`${sign}${whole}${fraction.padEnd(6, '0')}`));
}

const DECIMAL = /^(-?)(\d+)(?:\.(\d{1,6}))?$/;
