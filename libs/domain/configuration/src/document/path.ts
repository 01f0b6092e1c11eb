/** A place in a document: field names and list indices, from the root. */
export type Path = readonly (string | number)[];

const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/**
 * For example `points[0].triggers[2].threshold`. A name that is not a plain word is quoted: `streak["a b"]`. The path
 * of the root is empty.
 */
export function formatPath(path: Path): string {
  return path.map(formatSegment).join('').replace(/^\./, '');
}

function formatSegment(segment: string | number): string {
  if (typeof segment === 'number') return `[${segment}]`;
  return PLAIN_NAME.test(segment) ? `.${segment}` : `[${quote(segment)}]`;
}

const LONGEST_QUOTE = 60;

/**
 * Text of a document, made safe for a message: quoted, cut to 60 characters, without characters that control a
 * terminal.
 */
export function quote(text: string): string {
  const characters = [...text];
  const shown = characters.length > LONGEST_QUOTE ? `${characters.slice(0, LONGEST_QUOTE).join('')}…` : text;
  return printable(JSON.stringify(shown));
}

/** Control and format characters (escape sequences, changes of direction), line and paragraph separators, lone surrogates. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** The text with everything that could steer a terminal written as `\u{…}`. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
