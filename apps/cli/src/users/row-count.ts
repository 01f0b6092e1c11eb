import { InvalidArgumentError } from 'commander';

/** How many rows a list is to show. @throws InvalidArgumentError for anything but a whole number from 1 on */
export function rowCount(text: string): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) < 1) throw new InvalidArgumentError('Expected a whole number from 1 on.');
  return Number(text);
}
