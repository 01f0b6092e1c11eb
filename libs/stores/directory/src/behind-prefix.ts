const LAST_CODE_POINT = 0x10ffff;
const BEFORE_SURROGATES = 0xd7ff;
const BEHIND_SURROGATES = 0xe000;

/** The least text after all texts that begin with `prefix`, in byte order; null if there is none. */
export function behindPrefix(prefix: string): string | null {
  const characters = [...prefix];
  for (let last = characters.pop(); last !== undefined; last = characters.pop()) {
    const code = last.codePointAt(0) ?? 0;
    if (code === LAST_CODE_POINT) continue;
    return characters.join('') + String.fromCodePoint(code === BEFORE_SURROGATES ? BEHIND_SURROGATES : code + 1);
  }
  return null;
}
