/**
 * A strict JSON reader that loses nothing: objects become Maps (`__proto__` is a legal user id), numbers keep every
 * digit (`JSON.parse` rounds totals beyond 2^53), and a key given twice is an error instead of the last one winning.
 */

/** A JSON number in one canonical form: `digits` × 10^`exponent`, without trailing zeros; 1.50 and 15e-1 are equal. */
export class ExactNumber {
  /** @param {string} text a number as JSON writes it */
  constructor(text) {
    this.text = text;
    const [, sign = '', whole = '', fraction = '', power = '0'] =
      /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
    const digits = (whole + fraction).replace(/^0+/, '');
    const significant = digits.replace(/0+$/, '');
    const exponent = BigInt(power) - BigInt(fraction.length) + BigInt(digits.length - significant.length);
    this.canonical = significant === '' ? '0' : `${sign}${significant}e${exponent}`;
  }

  toString() {
    return this.text;
  }
}

const TOKEN =
  /[\t\n\r ]*(?:([{}[\],:])|("[^"\\]*(?:\\.[^"\\]*)*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null))/y;
const CONSTANTS = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/**
 * @param {string} text one JSON document
 * @returns {unknown} Map, Array, string, ExactNumber, boolean or null
 * @throws {SyntaxError} with the offset, on anything that is not JSON or on a duplicate key
 */
export function parseExactJson(text) {
  const token = new RegExp(TOKEN);
  const fail = (problem) => {
    throw new SyntaxError(`${problem} at offset ${token.lastIndex}`);
  };
  const next = () => {
    const start = token.lastIndex;
    const match = token.exec(text);
    if (match) return match;
    token.lastIndex = start;
    return fail('not JSON');
  };
  const expect = (match, mark) => {
    if (match[1] !== mark) fail(`'${mark}' expected before this`);
  };

  const value = (match) => {
    const [, mark, string, number, constant] = match;
    if (string !== undefined) return JSON.parse(string);
    if (number !== undefined) return new ExactNumber(number);
    if (constant !== undefined) return CONSTANTS.get(constant);
    if (mark === '{') return object();
    if (mark === '[') return array();
    return fail(`a value expected before this`);
  };
  const object = () => {
    const entries = new Map();
    let match = next();
    if (match[1] === '}') return entries;
    for (;;) {
      if (match[2] === undefined) fail('a key expected before this');
      const key = JSON.parse(match[2]);
      if (entries.has(key)) fail(`key ${match[2]} given twice, the second`);
      expect(next(), ':');
      entries.set(key, value(next()));
      match = next();
      if (match[1] === '}') return entries;
      expect(match, ',');
      match = next();
    }
  };
  const array = () => {
    const items = [];
    let match = next();
    if (match[1] === ']') return items;
    for (;;) {
      items.push(value(match));
      match = next();
      if (match[1] === ']') return items;
      expect(match, ',');
      match = next();
    }
  };

  const document = value(next());
  if (/[^\t\n\r ]/.test(text.slice(token.lastIndex))) fail('something follows the document');
  return document;
}
