/**
 * The place where a text stops being JSON, and the reason. Line and column count from 1; a column is a UTF-16 code
 * unit, as in editors.
 */
export interface JsonFault {
  readonly line: number;
  readonly column: number;
  readonly expected: string;
  readonly found: string;
}

/** The first violation of the grammar of JSON (RFC 8259), or null if there is none. */
export function jsonFault(text: string): JsonFault | null {
  const scanner = new JsonScanner(text);
  const expected = scanner.text();
  return expected === null
    ? null
    : { ...lineAndColumn(text, scanner.offset), expected, found: foundAt(text, scanner.offset) };
}

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LITERAL = /true|false|null/y;
const PLAIN = /[^"\\\0-\x1f]*/y; // eslint-disable-line no-control-regex -- JSON forbids them within strings
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

const VALUE = 'a value';
const NAME = 'a field name in double quotes';

/**
 * Scans a text. Each method returns null if it found what it expected at `offset`, otherwise a description of the
 * expected text.
 */
class JsonScanner {
  readonly #text: string;
  offset = 0;

  constructor(text: string) {
    this.#text = text;
  }

  text(): string | null {
    return this.#value() ?? (this.offset === this.#text.length ? null : 'nothing behind the value');
  }

  /** Uses an explicit stack, because a body may be nested deeper than the call stack allows. */
  #value(): string | null {
    const closers: string[] = [];
    do {
      const missing = this.#opened(closers);
      if (missing !== null) return missing;
    } while (closers.length > 0);
    return null;
  }

  /** Scans a value up to its end or to the first value inside it, then everything that ends with it. */
  #opened(closers: string[]): string | null {
    this.#skip(SPACE);
    const closer = CLOSERS.get(this.#next());
    if (closer === undefined) return this.#scalar() ?? this.#closed(closers);
    this.offset++;
    this.#skip(SPACE);
    closers.push(closer);
    if (this.#next() === closer) return this.#closed(closers);
    return closer === '}' ? this.#name('}') : null;
  }

  /**
   * Scans the text after a value: the ends of all arrays and objects that it completes, then a comma if one is still
   * open.
   */
  #closed(closers: string[]): string | null {
    for (;;) {
      this.#skip(SPACE);
      const closer = closers.at(-1);
      if (closer === undefined) return null;
      if (this.#next() === closer) {
        closers.pop();
        this.offset++;
      } else if (this.#next() === ',') {
        this.offset++;
        this.#skip(SPACE);
        return closer === '}' ? this.#name() : null;
      } else return `, or ${closer}`;
    }
  }

  #name(orCloser?: string): string | null {
    if (this.#next() !== '"') return orCloser === undefined ? NAME : `${NAME}, or ${orCloser}`;
    const missing = this.#string();
    if (missing !== null) return missing;
    this.#skip(SPACE);
    if (this.#next() !== ':') return ': behind the field name';
    this.offset++;
    return null;
  }

  #scalar(): string | null {
    if (this.#next() === '"') return this.#string();
    if (this.#skip(LITERAL) === 0 && this.#skip(NUMBER) === 0) return VALUE;
    return /[\w.+-]/.test(this.#next()) ? 'the end of the value' : null;
  }

  #string(): string | null {
    this.offset++;
    for (;;) {
      this.#skip(PLAIN);
      const next = this.#next();
      if (next === '"') {
        this.offset++;
        return null;
      }
      if (next !== '\\') return 'the end of the text in double quotes';
      if (this.#skip(ESCAPE) === 0) return 'an escape such as \\" or \\u0041';
    }
  }

  #next(): string {
    return this.#text.charAt(this.offset);
  }

  #skip(pattern: RegExp): number {
    pattern.lastIndex = this.offset;
    const length = pattern.exec(this.#text)?.[0].length ?? 0;
    this.offset += length;
    return length;
  }
}

const CLOSERS: ReadonlyMap<string, string> = new Map([
  ['{', '}'],
  ['[', ']'],
]);

function lineAndColumn(text: string, offset: number): { readonly line: number; readonly column: number } {
  let line = 1;
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1 && end < offset; end = text.indexOf('\n', start)) {
    line++;
    start = end + 1;
  }
  return { line, column: offset - start + 1 };
}

const WORD = /[\w.+-]{1,24}/y;

function foundAt(text: string, offset: number): string {
  WORD.lastIndex = offset;
  const word = WORD.exec(text)?.[0];
  const character = text.codePointAt(offset);
  if (character === undefined) return 'the end of the body';
  if (word !== undefined) return word;
  if (character === 0x0a || character === 0x0d) return 'a line break';
  const isPrintable = character > 0x20 && character !== 0x7f && !isLoneSurrogate(character);
  return isPrintable ? String.fromCodePoint(character) : `U+${character.toString(16).toUpperCase().padStart(4, '0')}`;
}

const isLoneSurrogate = (character: number): boolean => character >= 0xd800 && character <= 0xdfff;
