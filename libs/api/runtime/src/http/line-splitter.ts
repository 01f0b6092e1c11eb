const NEWLINE = 0x0a;

/** The bytes of a line without its newline; null: it is longer than the bound, and is forgotten. */
export type Line = Buffer | null;

/** Cuts bytes into lines, whatever the pieces in which they arrive. Holds no more than one line within the bound. */
export class LineSplitter {
  readonly #longest: number;
  /** The incomplete line, up to the bound. */
  readonly #held: Buffer;
  #length = 0;

  /** @param longest bytes of a line, without its newline */
  constructor(longest: number) {
    this.#longest = longest;
    this.#held = Buffer.allocUnsafe(longest);
  }

  /** The lines that end in these bytes. They share the memory of `bytes`, but for the first. */
  push(bytes: Buffer): Line[] {
    const lines: Line[] = [];
    let from = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, from)) {
      lines.push(this.#end(bytes.subarray(from, end)));
      from = end + 1;
    }
    this.#hold(bytes.subarray(from));
    return lines;
  }

  /** The last line, if no newline ends it. */
  end(): Line[] {
    return this.#length === 0 ? [] : [this.#end(this.#held.subarray(0, 0))];
  }

  #hold(part: Buffer): void {
    if (this.#length + part.length <= this.#longest) part.copy(this.#held, this.#length);
    this.#length += part.length;
  }

  #end(rest: Buffer): Line {
    if (this.#length === 0) return rest.length <= this.#longest ? rest : null;
    this.#hold(rest);
    const length = this.#length;
    this.#length = 0;
    return length <= this.#longest ? Buffer.from(this.#held.subarray(0, length)) : null;
  }
}
