import type { ChainMessage } from '@laurel/contracts';

/** A chain message as JSON text: exact for bigint and Map, which JSON does not know. */
export const encodeMessage = (message: ChainMessage): string =>
  JSON.stringify(message, (_key, value: unknown) => tagged(value));

export const decodeMessage = (text: string): ChainMessage =>
  JSON.parse(text, (_key, value: unknown) => untagged(value)) as ChainMessage;

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
