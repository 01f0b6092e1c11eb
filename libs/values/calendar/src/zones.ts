import { IANAZone } from 'luxon';
import tzdata from 'tzdata/tzdata.js';
import type { Zone } from './types.ts';

/** Intl also accepts offsets and names in any case; this list of the IANA database excludes them. */
const LISTED: ReadonlySet<string> = new Set(Object.keys(tzdata.zones));

const accepted = new Map<string, boolean>();

/**
 * True for a zone or link name of the IANA database, in its exact spelling, and for `UTC` (specification, section 1). False for offsets
 * (`+05:30`, `UTC+3`), `local` and names in another case.
 */
export function isZoneName(name: string): name is Zone {
  if (name === 'UTC') return true;
  return LISTED.has(name) && isAcceptedByIntl(name);
}

/** Intl knows no rules for `Factory`, nor for zones newer than its own data. */
function isAcceptedByIntl(name: Zone): boolean {
  const known = accepted.get(name);
  if (known !== undefined) return known;
  const valid = IANAZone.isValidZone(name);
  accepted.set(name, valid);
  return valid;
}

/** Every name that {@link isZoneName} accepts, in order of name. */
export function zoneNames(): readonly Zone[] {
  return [...new Set([...LISTED, 'UTC'])].filter(isZoneName).sort();
}

/** Release of the IANA database whose rules this process follows (those of Intl), e.g. `2025c`. */
export const tzDataVersion: string =
  // eslint-disable-next-line no-restricted-globals -- a constant of the process that nothing else provides
  (globalThis as { process?: { versions?: { tz?: string } } }).process?.versions?.tz ?? 'unknown';
