import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as prettier from 'prettier';

const FILE = join(import.meta.dirname, 'ceilings.json');

/**
 * The numbers that exceed a limit today, by path. A ceiling can only fall.
 *
 * @typedef {object} CeilingsOfFile
 * @property {number} [lines] of code
 * @property {Readonly<Record<string, number>>} [functions] name → lines of code
 * @property {Readonly<Record<string, number>>} [parameters] name of a function → positional parameters
 * @property {number} [spreads] object literals that are spread
 *
 * @typedef {Readonly<Record<string, CeilingsOfFile>>} Ceilings
 *
 * @returns {Ceilings}
 */
export const readCeilings = () => JSON.parse(readFileSync(FILE, 'utf8'));

/** @param {Ceilings} ceilings */
export const writeCeilings = async (ceilings) => writeFileSync(FILE, await textOf(ceilings));

/** Writes each file on one line where it fits. */
async function textOf(ceilings) {
  const lines = Object.entries(ceilings).map(([path, kinds]) => `${JSON.stringify(path)}: ${JSON.stringify(kinds)}`);
  return prettier.format(`{\n${lines.join(',\n')}\n}`, { ...(await prettier.resolveConfig(FILE)), filepath: FILE });
}

/**
 * @typedef {object} Ceiling
 * @property {string} path
 * @property {keyof typeof import('./kinds.mjs').KINDS} kind
 * @property {string | null} name of a function
 * @property {number} number
 *
 * @param {Ceilings} ceilings
 * @returns {readonly Ceiling[]}
 */
export const entriesOf = (ceilings) =>
  Object.entries(ceilings).flatMap(([path, kinds]) =>
    Object.entries(kinds).flatMap(([kind, numbers]) =>
      numbersOf(numbers).map(([name, number]) => ({ path, kind, name, number })),
    ),
  );

/** @returns {readonly (readonly [name: string | null, number: number])[]} the numbers of one kind in one file */
export const numbersOf = (numbers = {}) => (typeof numbers === 'number' ? [[null, numbers]] : Object.entries(numbers));

/**
 * @param {readonly Ceiling[]} entries in any order
 * @returns {Ceilings} sorted by path, kind and name
 */
export function ceilingsOf(entries) {
  const ceilings = {};
  for (const { path, kind, name, number } of [...entries].sort(byPlace)) {
    ceilings[path] ??= {};
    if (name === null) ceilings[path][kind] = number;
    else ceilings[path][kind] = { ...ceilings[path][kind], [name]: number };
  }
  return ceilings;
}

const KIND_NAMES = ['lines', 'functions', 'parameters', 'spreads'];

const byPlace = (one, other) =>
  compare(one.path, other.path) ||
  KIND_NAMES.indexOf(one.kind) - KIND_NAMES.indexOf(other.kind) ||
  compare(one.name, other.name);

const compare = (one, other) => (one === other ? 0 : one < other ? -1 : 1);
