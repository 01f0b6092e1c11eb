/** Makes text from outside safe for a terminal: escapes control and bidirectional characters, and shortens it. */
export function plainText(text: string, longest = 300): string {
  const cut = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return cut.replace(
    /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
