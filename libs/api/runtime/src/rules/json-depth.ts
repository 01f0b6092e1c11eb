const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `[` and `{` are `0x5b` and `0x7b`, `]` and `}` are `0x5d` and `0x7d`: without this bit they are the same. */
const BRACE_BIT = 0x20;
const OPEN = 0x5b;
const CLOSE = 0x5d;

/**
 * True if more than `most` arrays and objects of a JSON text lie in each other. One pass over the UTF-8 bytes, so that a text can
 * be refused before it is parsed; of a text that is not JSON the answer means nothing.
 */
export function isDeeperThan(most: number, json: Uint8Array): boolean {
  if (json.length <= most) return false;
  let depth = 0;
  for (let index = 0; index < json.length; index++) {
    const byte = json[index] as number;
    if (byte === QUOTE) index = endOfString(json, index);
    else if ((byte & ~BRACE_BIT) === OPEN && ++depth > most) return true;
    else if ((byte & ~BRACE_BIT) === CLOSE) depth--;
  }
  return false;
}

/** The index of the quote that ends the string which begins at `start`. */
function endOfString(json: Uint8Array, start: number): number {
  let index = start + 1;
  while (index < json.length && json[index] !== QUOTE) index += json[index] === BACKSLASH ? 2 : 1;
  return index;
}
