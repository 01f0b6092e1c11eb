import { isText } from './text.ts';

/**
 * The key in the text of a caller. HTTP drops the spaces and tabs around a header's value, so all inputs drop them: a key is the same in
 * the header, the body of an event, a batch and an import (specification, section 3.1).
 */
export function idempotencyKeyIn(written: string): string {
  let [start, end] = [0, written.length];
  while (start < end && isBlank(written, start)) start++;
  while (end > start && isBlank(written, end - 1)) end--;
  return written.slice(start, end);
}

/** A string of RFC 9651 that may go beyond ASCII: within the quotes, a backslash precedes only a quote or a backslash. */
const QUOTED = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|[^\0-\x7f]|\\["\\])*)"$/u;

/**
 * The content of a header `Idempotency-Key` that is a quoted string, as its specification writes it; null if the header is no such string,
 * so that the text itself is the key.
 */
export function quotedContent(header: string): string | null {
  const [, content] = QUOTED.exec(idempotencyKeyIn(header)) ?? [];
  return content === undefined ? null : content.replace(/\\(["\\])/g, '$1');
}

const isBlank = (text: string, index: number): boolean => text[index] === ' ' || text[index] === '\t';

/** Whether a text read by {@link idempotencyKeyIn} can be a key: 1–255 code points that can be stored. */
export const isIdempotencyKey = (key: string): boolean => isText(key, 1, 255);

/** ASCII without blanks around it, which every release has read alike. */
const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const NONE: readonly string[] = [];

/**
 * Other texts under which earlier releases may have recorded this very key: with the blanks around it, or with its UTF-8 read as
 * Latin-1. Empty for a plain ASCII key.
 */
export function earlierReadings(written: string): readonly string[] {
  if (PLAIN.test(written)) return NONE;
  const key = idempotencyKeyIn(written);
  return [written, ...(isIdempotencyKey(key) ? [utf8AsLatin1(key)] : NONE)].filter(
    (reading) => reading !== key && isIdempotencyKey(reading),
  );
}

/** Each byte of the UTF-8 as a character. @throws URIError for a lone surrogate, which no key has. */
function utf8AsLatin1(text: string): string {
  return encodeURIComponent(text).replace(/%([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
