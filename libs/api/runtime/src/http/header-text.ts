import { isUtf8 } from 'node:buffer';

const ASCII = /^[\x20-\x7e]*$/;

/**
 * The text of a header's value. Node decodes its bytes as Latin-1; if they are valid UTF-8, they are decoded as such,
 * so that a key is the same text in a header and in a body.
 */
export function headerText(value: string): string {
  if (ASCII.test(value)) return value;
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : value;
}
