// Reads the variables of Laurel from `.env` in the working folder, for `npm start` and `laurel`. What is set already wins.
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';

/** @returns the path of the file; null: there is none (a folder is none), or it names no variable of Laurel */
export function readDotenv(variables = process.env) {
  const path = resolve('.env');
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return null;
  const named = Object.entries(parseEnv(textOf(path))).filter(([name]) => name.startsWith('LAUREL_'));
  for (const [name, value] of named) variables[name] ??= value;
  return named.length === 0 ? null : path;
}

function textOf(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    console.error(`${path} cannot be read (${error.code})`);
    process.exit(2);
  }
}
