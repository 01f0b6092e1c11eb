import { type OutcomeType, storedEntries } from '@laurel/kernel';
import type { NarrowedPointsChanged, OutgoingDocument } from '@laurel/schemas';

/** A type of outcome, or points.changed for some points systems and triggers only. */
export type OutcomeEntry = OutcomeType | NarrowedPointsChanged;

export const typeOfEntry = (entry: OutcomeEntry): OutcomeType => (typeof entry === 'string' ? entry : entry.type);

/** The entries of `outgoing.events` in a canonical form and order. */
export function canonicalEntries(events: OutgoingDocument['events']): readonly OutcomeEntry[] {
  const entries: readonly OutcomeEntry[] = storedEntries(events);
  return entries.map(canonicalEntry).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

export function canonicalEntry(entry: OutcomeEntry): OutcomeEntry {
  if (typeof entry === 'string') return entry;
  const { type, pointsSystems, triggers } = entry;
  if (pointsSystems === undefined && triggers === undefined) return type;
  return {
    type,
    ...(pointsSystems && { pointsSystems: pointsSystems.toSorted() }),
    ...(triggers && { triggers: triggers.toSorted() }),
  };
}
