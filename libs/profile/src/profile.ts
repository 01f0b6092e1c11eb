import type { Zone } from '@laurel/calendar';

/** A user has at most this many attributes (specification, section 1.8). */
export const MAX_ATTRIBUTES = 50;

/** What is kept of what callers said of a user. */
export interface Profile {
  readonly name: string | null;
  readonly email: string | null;
  /** null: none was ever given; the clock is then UTC. */
  readonly tz: Zone | null;
  readonly attributes: ReadonlyMap<string, string>;
}

/** What a caller says of a user: absent fields stay as they were, an attribute set to null is removed. */
export interface UserFields {
  readonly name?: string | null;
  readonly email?: string | null;
  readonly tz?: Zone;
  readonly attributes?: ReadonlyMap<string, string | null>;
  /**
   * How many attributes the user could have when `attributes` were recorded. Absent in records made before there was a
   * limit: a replay keeps all that was kept then.
   */
  readonly attributeLimit?: number;
}

export const NEW_PROFILE: Profile = { name: null, email: null, tz: null, attributes: new Map() };

/**
 * The profile after `fields`. Never throws: of attributes beyond the limit the first are kept, and whoever has more than the
 * limit already gains none.
 */
export function applyFields<P extends Profile>(profile: P, fields: UserFields): P {
  const { name, email, tz, attributes, attributeLimit } = fields;
  if (name === undefined && email === undefined && tz === undefined && attributes === undefined) return profile;
  return {
    ...profile,
    name: name === undefined ? profile.name : name,
    email: email === undefined ? profile.email : email,
    tz: tz ?? profile.tz,
    attributes: mergeAttributes(profile.attributes, attributes, attributeLimit ?? Infinity),
  };
}

/** True if these changes add an attribute and leave the user with more than {@link MAX_ATTRIBUTES}. */
export function exceedsAttributeLimit(
  present: ReadonlyMap<string, string>,
  changes: UserFields['attributes'] = new Map(),
): boolean {
  if (present.size + changes.size <= MAX_ATTRIBUTES) return false;
  const entries = [...changes];
  const added = entries.filter(([key, value]) => value !== null && !present.has(key)).length;
  const removed = entries.filter(([key, value]) => value === null && present.has(key)).length;
  return added > 0 && present.size + added - removed > MAX_ATTRIBUTES;
}

export const sameProfile = (a: Profile, b: Profile): boolean =>
  a === b || (a.name === b.name && a.email === b.email && a.tz === b.tz && sameEntries(a.attributes, b.attributes));

function mergeAttributes(
  present: ReadonlyMap<string, string>,
  changes: UserFields['attributes'],
  limit: number,
): ReadonlyMap<string, string> {
  if (!changes || changes.size === 0) return present;
  const merged = new Map(present);
  for (const [key, value] of changes) if (value === null) merged.delete(key);
  for (const [key, value] of changes)
    if (value !== null && (merged.has(key) || merged.size < limit)) merged.set(key, value);
  return merged;
}

const sameEntries = (a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean =>
  a === b || (a.size === b.size && [...a].every(([key, value]) => b.get(key) === value));
