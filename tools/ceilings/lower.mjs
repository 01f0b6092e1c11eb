import { posix } from 'node:path';
import { KINDS } from './kinds.mjs';

/**
 * A number may be written into the list if it is not above its ceiling. A file or function that was moved or renamed
 * takes over a ceiling that is no longer needed: one with the same function or file name, one of the same file, or one
 * of a file that no longer exists.
 *
 * @param {readonly import('./list.mjs').Ceiling[]} ceilings
 * @param {readonly import('./list.mjs').Ceiling[]} numbers all numbers that exceed a limit today
 * @param {(path: string) => boolean} isThere
 * @returns {readonly string[]} why the numbers cannot become the ceilings; empty if they can
 */
export function problemsOfLowering(ceilings, numbers, isPresent) {
  const known = new Map(ceilings.map((ceiling) => [keyOf(ceiling), ceiling]));
  const today = new Set(numbers.map(keyOf));
  const free = ceilings.filter((ceiling) => !today.has(keyOf(ceiling))).map((ceiling) => ({ ...ceiling }));
  return numbers.flatMap((entry) => {
    const ceiling = known.get(keyOf(entry));
    if (ceiling === undefined) return takeOver(free, entry, isPresent) ? [] : [problemOf(entry, 'without a ceiling')];
    return entry.number <= ceiling.number ? [] : [problemOf(entry, `above its ceiling of ${ceiling.number}`)];
  });
}

const keyOf = ({ path, kind, name }) => `${path} ${kind} ${name}`;

const problemOf = ({ path, kind, name, number }, why) => `${path}: ${KINDS[kind].says(number, name)}, ${why}`;

/**
 * The parts of a file that was split share the ceiling of its spread literals; any other ceiling is taken over only
 * once.
 */
function takeOver(free, entry, isPresent) {
  const fitting = free.filter(
    (ceiling) =>
      ceiling.kind === entry.kind &&
      ceiling.number >= entry.number &&
      isSuccessor(ceiling, entry, isPresent(ceiling.path)),
  );
  if (fitting.length === 0) return false;
  const smallest = fitting.reduce((one, other) => (other.number < one.number ? other : one));
  smallest.number = entry.kind === 'spreads' ? smallest.number - entry.number : 0;
  return true;
}

function isSuccessor(ceiling, entry, isPresent) {
  if (!isPresent || ceiling.path === entry.path) return true;
  return ceiling.name === null
    ? posix.basename(ceiling.path) === posix.basename(entry.path)
    : ceiling.name === entry.name;
}
