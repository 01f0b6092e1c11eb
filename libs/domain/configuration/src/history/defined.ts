/**
 * The definition that a key of an accepted document names. @throws Error if there is none, because the document was not
 * checked
 */
export function defined<T>(byKey: ReadonlyMap<string, T>, key: string): T {
  const found = byKey.get(key);
  if (found === undefined) throw new Error(`the configuration names ${JSON.stringify(key)}, which it does not define`);
  return found;
}
