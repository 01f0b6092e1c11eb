import type { ChainMessage } from '@laurel/kernel';

/**
 * What is made of plain objects, arrays, bigint and Map as JSON text: exact for the latter two, which JSON does not know.
 * Tagged before and untagged behind JSON's own work: a function for each value in its midst would make it several times slower.
 */
export const encodeExact = (value: unknown): string => JSON.stringify(tagged(value)) ?? 'null';

/** @throws for a text that {@link encodeExact} does not write. */
export const decodeExact = (text: string): unknown => untagged(JSON.parse(text));

export const encodeMessage = (message: ChainMessage): string => encodeExact(message);

export const decodeMessage = (text: string): ChainMessage => decodeExact(text) as ChainMessage;

/** What holds nothing to tag is answered as it is, so that only what is on the way to a bigint or a Map is copied. */
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

/** In place. No message holds an object of its own with these keys: what callers name freely travels in maps. */
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
