const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `[` and `{` are `0x5b` and `0x7b`, `]` and `}` are `0x5d` and `0x7d`: they differ only in this bit. */
const BRACE_BIT = 0x20;
const OPEN = 0x5b;
const CLOSE = 0x5d;

/**
 * Whether a JSON text nests more than `most` arrays and objects. Makes one pass over the UTF-8 bytes, so that a text
 * can be refused before it is parsed. The result is meaningless for a text that is not JSON.
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

/** The index of the quote that closes the string beginning at `start`. */
function endOfString(json: Uint8Array, start: number): number {
  let index = start + 1;
  while (index < json.length && json[index] !== QUOTE) index += json[index] === BACKSLASH ? 2 : 1;
  return index;
}
