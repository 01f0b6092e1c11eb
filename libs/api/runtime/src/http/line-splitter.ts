const NEWLINE = 0x0a;

/** The bytes of a line without its newline. null for a line that exceeds the limit, whose bytes are dropped. */
export type Line = Buffer | null;

/** Splits bytes into lines, whatever chunks they arrive in. Keeps at most one line, up to the limit. */
export class LineSplitter {
  readonly #longest: number;
  /** The incomplete line, up to the limit. */
  readonly #held: Buffer;
  #length = 0;

  /** @param longest limit of a line without its newline, in bytes */
  constructor(longest: number) {
    this.#longest = longest;
    this.#held = Buffer.allocUnsafe(longest);
  }

  /** The lines that these bytes complete. All but the first share the memory of `bytes`. */
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

  /** The last line, if it has no newline. */
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
