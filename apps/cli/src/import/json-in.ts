import type { EventLine } from './event-lines.ts';

/** The object that a line holds; an empty one if it holds none. */
export function jsonIn({ bytes }: EventLine): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(String(bytes));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
