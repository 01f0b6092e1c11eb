/**
 * How the user index folds names, from the Unicode tables of this process. The tables become part of the index functions, so that the index
 * does not depend on the locale provider of the database. Applies to text in the form NFKD.
 */
export interface Folding {
  /** Combining marks, as the inside of a bracket expression of Postgres. */
  readonly marks: string;
  /** Letters beyond ASCII that fold to one other character. `to` has the folded characters in the same order. */
  readonly from: string;
  readonly to: string;
  /** Letters that fold to several characters. */
  readonly expanding: readonly (readonly [letter: string, folded: string])[];
}

const LAST_CODE_POINT = 0x10ffff;
const SURROGATES = { first: 0xd800, last: 0xdfff };
/** Full case folding does not change it, although it is the small form of another letter's capital. */
const DOTLESS_I = 'ı';

/**
 * Full case folding of one character: first to upper, then to lower case, because the capital of some letters is only
 * reached from the small one.
 */
export const foldedCharacter = (character: string): string =>
  character === DOTLESS_I ? character : character.toLowerCase().toUpperCase().toLowerCase();

let folding: Folding | null = null;

/** Computed once, because it takes a second of the event loop. */
export const unicodeFolding = (): Folding => (folding ??= readFolding());

function readFolding(): Folding {
  const ranges: { readonly first: number; last: number }[] = [];
  let [from, to] = ['', ''];
  const expanding: (readonly [string, string])[] = [];
  for (let code = 0x80; code <= LAST_CODE_POINT; code++) {
    if (code === SURROGATES.first) code = SURROGATES.last + 1;
    const character = String.fromCodePoint(code);
    if (/\p{M}/u.test(character)) {
      const range = ranges.at(-1);
      if (range?.last === code - 1) range.last = code;
      else ranges.push({ first: code, last: code });
      continue;
    }
    const folded = foldedCharacter(character);
    if (folded === character || character.normalize('NFKD') !== character) continue;
    if ([...folded].length > 1) expanding.push([character, folded]);
    else [from, to] = [from + character, to + folded];
  }
  return { marks: ranges.map(({ first, last }) => `${escaped(first)}-${escaped(last)}`).join(''), from, to, expanding };
}

const escaped = (code: number): string => String.raw`\U${code.toString(16).padStart(8, '0')}`;
