import type { Instant } from '@laurel/calendar';
import type { Configuration } from '@laurel/kernel';
import { ofState } from './damaged-state.ts';
import type { AnyUserArea, Document, UserRef } from './document.ts';

/**
 * The first instant at which something falls due for a user without an event, or null for never.
 * @throws DamagedStateError if an area cannot work with its state
 */
export function dueAt(
  areas: readonly AnyUserArea[],
  user: UserRef,
  document: Document,
  configuration: Configuration,
): Instant | null {
  let first: Instant | null = null;
  for (const [index, area] of areas.entries()) {
    const due = ofState(user, area, () => area.dueAt?.(document[index], configuration) ?? null);
    if (due !== null && (first === null || due < first)) first = due;
  }
  return first;
}

/** The last instant that a timestamp can hold. Anything due later is found when a later event is applied. */
const LAST_DUE: Instant = Date.parse('9999-01-01T00:00:00Z');

/** The instant as the index of the sweep stores it. */
export const storableDueAt = (dueAt: Instant | null): Instant | null =>
  dueAt === null || dueAt > LAST_DUE ? null : Math.max(dueAt, 0);
