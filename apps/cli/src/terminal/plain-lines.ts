import { plainText } from '../plain-text.ts';

/** Lines of text from outside, safe on a terminal: everything but the ends of the lines is made plain. */
export const plainLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => plainText(line.replace(/\r$/, ''), Infinity))
    .join('\n');
