// Reads the variables of Laurel from `.env` in the working folder, for `npm start` and `laurel`. What is set already wins.
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';

/** @returns the path of the file; null: it is not there, or names no variable of Laurel */
export function readDotenv(variables = process.env) {
  const path = resolve('.env');
  if (!existsSync(path)) return null;
  const named = Object.entries(parseEnv(readFileSync(path, 'utf8'))).filter(([name]) => name.startsWith('LAUREL_'));
  for (const [name, value] of named) variables[name] ??= value;
  return named.length === 0 ? null : path;
}
