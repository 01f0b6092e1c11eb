import { ExactNumber } from './write-json.ts';

/** A double holds every decimal of up to fifteen digits. */
const MANY_DIGITS = /\d[\d.]{15}/;
const TOKENS = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Reads what {@link writeJson} wrote, and loses no digit: a number that no double holds exactly is an {@link ExactNumber}. */
export function readJson(text: string): unknown {
  if (!MANY_DIGITS.test(text)) return JSON.parse(text);
  const marked = text.replace(TOKENS, (token: string, string?: string, colon?: string) => {
    if (colon !== undefined) return token;
    if (string !== undefined) return `"s${token.slice(1)}`;
    return String(Number(token)) === token ? token : `"n${token}"`;
  });
  return JSON.parse(marked, (_, value: unknown) => {
    if (typeof value !== 'string') return value;
    return value.startsWith('n') ? new ExactNumber(value.slice(1)) : value.slice(1);
  });
}
