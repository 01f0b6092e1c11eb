import type { ChainMessage } from '@laurel/contracts';

/** What is made of plain objects, arrays, bigint and Map as JSON text: exact for the latter two, which JSON does not know. */
export const encodeExact = (value: unknown): string => JSON.stringify(value, (_key, inner: unknown) => tagged(inner));

/** @throws for a text that {@link encodeExact} does not write. */
export const decodeExact = (text: string): unknown => JSON.parse(text, (_key, inner: unknown) => untagged(inner));

export const encodeMessage = (message: ChainMessage): string => encodeExact(message);

export const decodeMessage = (text: string): ChainMessage => decodeExact(text) as ChainMessage;

function tagged(value: unknown): unknown {
  if (typeof value === 'bigint') return { $bigint: value.toString() };
  if (value instanceof Map) return { $map: [...(value as Map<unknown, unknown>)] };
  return value;
}

/** No message holds an object of its own with these keys: what callers name freely travels in maps. */
function untagged(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('$bigint' in value) return BigInt(value.$bigint as string);
  if ('$map' in value) return new Map(value.$map as [unknown, unknown][]);
  return value;
}
