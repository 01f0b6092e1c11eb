import type { DatedChanges, LocalDate } from '@laurel/calendar';

export const NO_CHANGES: DatedChanges = { before: 0n, byDate: new Map() };

export function added(a: DatedChanges, b: DatedChanges): DatedChanges {
  const byDate = new Map(a.byDate);
  for (const [date, change] of b.byDate) addTo(byDate, date, change);
  return { before: a.before + b.before, byDate };
}

/** Adds to the value of the key, or to 0. */
export function addTo(sums: Map<LocalDate, bigint>, date: LocalDate, points: bigint): void {
  sums.set(date, (sums.get(date) ?? 0n) + points);
}
