import type { Amount } from '@laurel/amounts';
import { formatAmount } from '@laurel/amounts';

/** A number of an answer: a plain number if a double holds it exactly, else its digits. */
export type JsonNumber = number | ExactNumber;

/**
 * A number that no double holds exactly. Only {@link writeJson} can write it: `JSON.stringify` throws, so a wrong digit
 * never leaves unnoticed.
 */
export class ExactNumber {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }

  toJSON(): never {
    throw new NeedsExactWriting();
  }
}

class NeedsExactWriting extends Error {
  constructor() {
    super('an ExactNumber is written by writeJson, not by JSON.stringify');
  }
}

/**
 * Below 2³³ neighbouring doubles lie closer together than a millionth, so the shortest text of the nearest double is the
 * decimal itself, and nothing from a millionth up is written with an exponent.
 */
const SAFE_MILLIONTHS = 2n ** 33n * 1_000_000n;
const SAFE_INTEGER = BigInt(Number.MAX_SAFE_INTEGER);

/** An amount as a JSON number, exact to its six decimals at any size. */
export function jsonAmount(amount: Amount): JsonNumber {
  if (amount < SAFE_MILLIONTHS && amount > -SAFE_MILLIONTHS) return Number(amount) / 1e6;
  return new ExactNumber(formatAmount(amount));
}

/** Points as a JSON number, exact at any size. */
export function jsonInteger(value: bigint): JsonNumber {
  return value <= SAFE_INTEGER && value >= -SAFE_INTEGER ? Number(value) : new ExactNumber(value.toString());
}

/**
 * Writes a value of plain objects, arrays, strings, booleans, null, numbers and {@link ExactNumber}s as JSON.
 * Returns the same text as `JSON.stringify`, but also writes exact numbers, digit by digit.
 */
export function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof NeedsExactWriting)) throw error;
    return writeExactly(value) ?? 'null';
  }
}

function writeExactly(value: unknown): string | undefined {
  if (value instanceof ExactNumber) return value.digits;
  if (Array.isArray(value)) return `[${value.map((item) => writeExactly(item) ?? 'null').join(',')}]`;
  if (typeof value === 'object' && value !== null) return writeMembers(value);
  return JSON.stringify(value);
}

function writeMembers(value: object): string {
  const members: string[] = [];
  for (const [key, member] of Object.entries(value)) {
    const text = writeExactly(member);
    if (text !== undefined) members.push(`${JSON.stringify(key)}:${text}`);
  }
  return `{${members.join(',')}}`;
}
