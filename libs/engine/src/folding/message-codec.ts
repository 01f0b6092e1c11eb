import type { ChainMessage } from '@laurel/contracts';

/**
 * What is made of plain objects, arrays, bigint and Map as JSON text: exact for the latter two, which JSON does not know.
 * Tagged before and untagged behind JSON's own work: a function for each value in its midst would make it several times slower.
 */
export const encodeExact = (value: unknown): string => JSON.stringify(tagged(value)) ?? 'null';

/** @throws for a text that {@link encodeExact} does not write. */
export const decodeExact = (text: string): unknown => untagged(JSON.parse(text));

export const encodeMessage = (message: ChainMessage): string => encodeExact(message);

export const decodeMessage = (text: string): ChainMessage => decodeExact(text) as ChainMessage;

function tagged(value: unknown): unknown {
  if (typeof value === 'bigint') return { $bigint: value.toString() };
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Map) return { $map: [...(value as Map<unknown, unknown>)].map(tagged) };
  if (Array.isArray(value)) return value.map(tagged);
  const plain: Record<string, unknown> = {};
  for (const key of Object.keys(value)) plain[key] = tagged((value as Record<string, unknown>)[key]);
  return plain;
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
