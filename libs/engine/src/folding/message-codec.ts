import type { ChainMessage } from '@laurel/kernel';

/**
 * Encodes plain objects, arrays, bigint and Map as JSON text. JSON knows neither bigint nor Map, so these are tagged
 * before `JSON.stringify` and untagged after `JSON.parse`. A replacer function called for each value would be several
 * times slower.
 */
export const encodeExact = (value: unknown): string => JSON.stringify(tagged(value)) ?? 'null';

/** @throws for a text that {@link encodeExact} did not write. */
export const decodeExact = (text: string): unknown => untagged(JSON.parse(text));

export const encodeMessage = (message: ChainMessage): string => encodeExact(message);

export const decodeMessage = (text: string): ChainMessage => decodeExact(text) as ChainMessage;

/** Values with nothing to tag are returned unchanged, so only objects on the way to a bigint or a Map are copied. */
function tagged(value: unknown): unknown {
  if (typeof value === 'bigint') return { $bigint: value.toString() };
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Map) return { $map: [...(value as Map<unknown, unknown>)].map(tagged) };
  if (Array.isArray(value)) return taggedArray(value);
  let copy: Record<string, unknown> | null = null;
  for (const key in value) {
    const before = (value as Record<string, unknown>)[key];
    const after = tagged(before);
    if (after !== before) (copy ??= { ...value })[key] = after;
  }
  return copy ?? value;
}

function taggedArray(values: readonly unknown[]): readonly unknown[] {
  const after = values.map(tagged);
  return after.every((one, index) => one === values[index]) ? values : after;
}

/** Works in place. No message has an object with these keys: names that callers choose travel in maps. */
function untagged(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) value[index] = untagged(value[index]);
    return value;
  }
  const object = value as Record<string, unknown>;
  if ('$bigint' in object) return BigInt(object['$bigint'] as string);
  if ('$map' in object) return new Map(untagged(object['$map']) as [unknown, unknown][]);
  for (const key of Object.keys(object)) object[key] = untagged(object[key]);
  return object;
}
