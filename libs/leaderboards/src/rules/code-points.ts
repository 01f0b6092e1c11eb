/**
 * Compares by code points, as Postgres does under `collate "C"` in UTF-8. The operator `<` compares UTF-16 units, and so
 * puts what lies beyond U+FFFF before U+E000.
 */
export function compareCodePoints(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let i = 0;
  while (i < shorter && a.charCodeAt(i) === b.charCodeAt(i)) i++;
  return (a.codePointAt(i) ?? -1) - (b.codePointAt(i) ?? -1);
}
