import type { EventLine } from './event-lines.ts';

/** The object in a line; an empty one if there is none. */
export function jsonIn({ bytes }: EventLine): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(String(bytes));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
