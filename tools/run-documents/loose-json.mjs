/** The value of `…`, which stands for any value or, in a list, for any number of elements. */
export const ANYTHING = Symbol('…');

/**
 * JSON as documents write it: with `//` comments, and `…` for what is left out. Objects become Maps; one with a `…` among its
 * members has `isOpen`.
 *
 * @throws {SyntaxError} if it is no such text
 */
export function parseLooseJson(text) {
  const reader = new Reader(text);
  const value = reader.value();
  reader.skip();
  if (reader.at < text.length) throw new SyntaxError(`more behind the value, at ${reader.at}`);
  return value;
}

class Reader {
  at = 0;
  #text;

  constructor(text) {
    this.#text = text;
  }

  skip() {
    this.#take(/(?:\s|\/\/.*)*/y);
  }

  value() {
    if (this.#next('{')) return this.#object();
    if (this.#next('[')) return this.#list();
    if (this.#next('…')) return ANYTHING;
    const scalar = this.#take(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null/y);
    if (scalar === null) throw new SyntaxError(`no JSON at ${this.at}`);
    return JSON.parse(scalar);
  }

  #object() {
    const members = new Map();
    while (!this.#next('}')) {
      if (this.#next('…')) members.isOpen = true;
      else {
        const name = this.value();
        if (typeof name !== 'string' || !this.#next(':')) throw new SyntaxError(`no member at ${this.at}`);
        members.set(name, this.value());
      }
      this.#separator('}');
    }
    return members;
  }

  #list() {
    const elements = [];
    while (!this.#next(']')) {
      elements.push(this.value());
      this.#separator(']');
    }
    return elements;
  }

  #separator(end) {
    if (this.#next(',')) return;
    this.skip();
    if (this.#text[this.at] !== end) throw new SyntaxError(`no comma at ${this.at}`);
  }

  #next(token) {
    this.skip();
    if (!this.#text.startsWith(token, this.at)) return false;
    this.at += token.length;
    return true;
  }

  #take(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text)?.[0] ?? null;
    this.at += found?.length ?? 0;
    return found;
  }
}
