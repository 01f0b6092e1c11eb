import { ExactNumber } from './exact-json.mjs';

/**
 * @typedef {{ path: string, expected: string, found: string }} Difference `(absent)` for a value that one side does not
 *   have
 * @typedef {{ differences: Difference[], compared: Map<string, number> }} Comparison
 */

const ABSENT = Symbol('absent');

/**
 * Compares two states of an account and finds both missing and additional values. Instants are equal if they denote the
 * same moment, numbers if they are the same number, all other values literally.
 *
 * @param {Map<string, unknown>} expected
 * @param {Map<string, unknown>} found
 * @param {{ exact: boolean }} options `exact`: also compares instants literally, and the field `replayed`
 * @returns {Comparison}
 */
export function compareStates(expected, found, { exact }) {
  const differences = [];
  const equalText = exact ? () => false : sameInstant;
  const report = (path, left, right) => differences.push({ path, expected: written(left), found: written(right) });
  const compare = (path, left, right) => {
    if (left instanceof Map && right instanceof Map) compareMaps(path, left, right);
    else if (Array.isArray(left) && Array.isArray(right)) compareLists(path, left, right);
    else if (!sameScalar(left, right, equalText)) report(path, left, right);
  };
  const compareMaps = (path, left, right) => {
    for (const key of new Set([...left.keys(), ...right.keys()])) {
      if (path === '' && key === 'replayed' && !exact) continue;
      compare(step(path, key), entry(left, key), entry(right, key));
    }
  };
  const compareLists = (path, left, right) => {
    for (let i = 0; i < Math.max(left.length, right.length); i++) {
      compare(`${path}[${i}]`, i < left.length ? left[i] : ABSENT, i < right.length ? right[i] : ABSENT);
    }
  };
  compare('', expected, found);
  return { differences, compared: countCompared(expected, found) };
}

const entry = (map, key) => (map.has(key) ? map.get(key) : ABSENT);
const step = (path, key) => {
  if (!/^[\w-]+$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
};

function sameScalar(left, right, equalText) {
  if (left === right) return true;
  if (left instanceof ExactNumber && right instanceof ExactNumber) return left.canonical === right.canonical;
  return typeof left === 'string' && typeof right === 'string' && equalText(left, right);
}

const INSTANT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/;
const moment = (text) => {
  const [, seconds, fraction = '', zone] = INSTANT.exec(text) ?? [];
  const ms = seconds === undefined ? NaN : Date.parse(`${seconds}${zone}`);
  return Number.isNaN(ms) ? null : `${ms}.${fraction.replace(/0+$/, '')}`;
};
const sameInstant = (left, right) => moment(left) !== null && moment(left) === moment(right);

/** A value for messages: numbers with all digits, and no raw control characters, because ids come from outside. */
const written = (value) => {
  if (value === ABSENT) return '(absent)';
  if (value instanceof ExactNumber) return value.text;
  if (value instanceof Map) return `{${value.size} entries}`;
  if (Array.isArray(value)) return `[${value.length} elements]`;
  return JSON.stringify(value);
};

/** Counts the values that both sides have, so that a comparison of nothing is not taken for one without differences. */
function countCompared(expected, found) {
  const compared = new Map(
    ['users', 'totals', 'achievements', 'awards', 'last awards', 'streak periods', 'runs', 'ranked rows'].map((n) => [
      n,
      0,
    ]),
  );
  const add = (name, amount) => compared.set(name, compared.get(name) + amount);
  for (const [user, other] of inBoth(expected.get('users'), found.get('users'))) {
    add('users', 1);
    add('totals', inBoth(user.get('totals'), other.get('totals')).length);
    add('achievements', inBoth(user.get('achievements'), other.get('achievements')).length);
    for (const [count] of inBoth(user.get('awards'), other.get('awards'))) add('awards', Number(count));
    for (const [left, right] of inBoth(user.get('lastAwards'), other.get('lastAwards'))) {
      add('last awards', Math.min(left.length, right.length));
    }
    add('streak periods', inBoth(field(user, 'streak', 'history'), field(other, 'streak', 'history')).length);
  }
  for (const [runs, otherRuns] of inBoth(expected.get('leaderboards'), found.get('leaderboards'))) {
    for (const [rows, otherRows] of inBoth(runs, otherRuns)) {
      add('runs', 1);
      add('ranked rows', Math.min(rows.length, otherRows.length));
    }
  }
  return compared;
}

const field = (map, key, inner) => (map.get(key) instanceof Map ? map.get(key).get(inner) : undefined);
const inBoth = (left, right) =>
  left instanceof Map && right instanceof Map
    ? [...left].filter(([key]) => right.has(key)).map(([key, value]) => [value, right.get(key)])
    : [];
