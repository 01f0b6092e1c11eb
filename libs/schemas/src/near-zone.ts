import { zoneNames, type Zone } from '@laurel/calendar';
import { distanceWithin } from './near-name.ts';

/** Zone names resemble each other: beyond two edits, another city is more likely than a typing error. */
const MOST_EDITS = 2;
/** Shorter names, such as `PST`, are too close to others that mean something else. */
const SHORTEST_MISSPELLED = 5;
const LONGEST_NAME = 64;

interface Candidate {
  readonly zone: Zone;
  readonly name: string;
  readonly city: string;
}

/** A name with a digit is an offset or a rule, and one edit makes it a different one. */
const isPlace = (zone: string): boolean => !/\d/.test(zone);

const folded = (name: string): string => name.toLowerCase().replace(/[ _-]/g, '');

let candidates: readonly Candidate[] | undefined;

/** The zone that the caller probably meant: in another case, by its city alone, or at most two edits away; null if there is none. */
export function nearZone(written: string): Zone | null {
  if (written.length > LONGEST_NAME) return null;
  const wanted = folded(written);
  candidates ??= zoneNames()
    .filter(isPlace)
    .map((zone) => ({ zone, name: folded(zone), city: folded(zone.slice(zone.lastIndexOf('/') + 1)) }));
  const exact = candidates.find(({ name }) => name === wanted) ?? candidates.find(({ city }) => city === wanted);
  if (exact !== undefined) return exact.zone;
  return wanted.length < SHORTEST_MISSPELLED || !isPlace(written) ? null : closest(wanted, candidates);
}

function closest(wanted: string, among: readonly Candidate[]): Zone | null {
  let near: { readonly zone: Zone; readonly distance: number } | null = null;
  for (const { zone, name } of among) {
    const distance = distanceWithin(near === null ? MOST_EDITS : near.distance - 1, wanted, name);
    if (distance !== null) near = { zone, distance };
  }
  return near?.zone ?? null;
}
