// Reads Laurel's variables from `.env` in the working folder, for `npm start` and `laurel`. Variables that are set
// already win.
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';

/** A line with a variable, to find values that Node would cut or lose. */
const LINE = /^[ \t]*(?:export[ \t]+)?([\w.-]+)[ \t]*=([ \t]*)("[^"]*"|'[^']*'|`[^`]*`|[^\r\n]*)([^\r\n]*)/gm;

/** @returns the path of the file, or null if there is no such file or it names no variable of Laurel */
export function readDotenv(variables = process.env) {
  const path = resolve('.env');
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return null;
  const text = textOf(path);
  for (const [, name, ...value] of text.matchAll(LINE)) {
    if (!name.startsWith('LAUREL_') || variables[name] !== undefined) continue;
    const fault = faultOf(value);
    if (fault !== null)
      refuse(`${path}: the value of ${name} ${fault}. Put it in quotes, and a space before a comment`);
  }
  const named = Object.entries(parseEnv(text)).filter(([name]) => name.startsWith('LAUREL_'));
  for (const [name, value] of named) variables[name] ??= value;
  return named.length === 0 ? null : path;
}

/**
 * Why Node would read another value: it begins a comment at every unquoted `#`, whereas shells and docker compose do so
 * only after a space.
 */
function faultOf([space, value, rest]) {
  const isOpen = /^["'`]/.test(value);
  if (isOpen && (value.length === 1 || value.at(-1) !== value[0])) return 'has no closing quote, and would be lost';
  if (isOpen) return /^\s*$|^\s+#/.test(rest) ? null : 'has text behind its closing quote, and would be cut there';
  const [beforeComment] = (space + value).split(/[ \t]#/);
  return beforeComment.includes('#') ? 'has a # that is not quoted, and would be cut there' : null;
}

function textOf(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    return refuse(`${path} cannot be read (${error.code})`);
  }
}

function refuse(why) {
  console.error(why);
  process.exit(2);
}
