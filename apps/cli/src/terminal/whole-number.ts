import { InvalidArgumentError } from 'commander';

const NO_END = Number.MAX_SAFE_INTEGER;

/** Parses a number from `min` to `max`. @throws InvalidArgumentError that names the range, for any other text */
export const wholeNumber =
  (min: number, max = NO_END, what = 'a whole number') =>
  (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && min <= value && value <= max) return value;
    throw new InvalidArgumentError(`Expected ${what} from ${min} ${max === NO_END ? 'on' : `to ${max}`}.`);
  };
