import { plainText } from '../plain-text.ts';

/** Makes lines of text from outside safe for a terminal. Only line ends stay unchanged. */
export const plainLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => plainText(line.replace(/\r$/, ''), Infinity))
    .join('\n');
