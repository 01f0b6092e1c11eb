import { ZERO, type Amount } from '@laurel/amounts';
import type { Instant } from '@laurel/calendar';
import type { UserFields } from '@laurel/contracts';
import type { UserState } from './user-state.ts';

/**
 * Naming a user creates or updates them (specification, section 2): absent fields stay as they were, attributes merge by
 * key, null removes one. The instant of the first record is the user's creation.
 */
export function nameUser(state: UserState, fields: UserFields, at: Instant): UserState {
  const named = {
    ...state,
    name: fields.name === undefined ? state.name : fields.name,
    email: fields.email === undefined ? state.email : fields.email,
    tz: fields.tz ?? state.tz,
    attributes: mergeAttributes(state.attributes, fields.attributes),
  };
  const created = state.createdAt === null;
  return {
    ...named,
    createdAt: state.createdAt ?? at,
    updatedAt: created || !sameProfile(state, named) ? at : state.updatedAt,
  };
}

/** Adds a metric event's value to the user's total of that metric. */
export function addToTotal(state: UserState, metric: string, value: Amount): { state: UserState; total: Amount } {
  const total = (state.totals.get(metric) ?? ZERO) + value;
  return { state: { ...state, totals: new Map(state.totals).set(metric, total) }, total };
}

function mergeAttributes(
  present: ReadonlyMap<string, string>,
  changes: UserFields['attributes'],
): ReadonlyMap<string, string> {
  if (!changes || changes.size === 0) return present;
  const merged = new Map(present);
  for (const [key, value] of changes) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  return merged;
}

const sameProfile = (a: UserState, b: UserState): boolean =>
  a.name === b.name && a.email === b.email && a.tz === b.tz && sameEntries(a.attributes, b.attributes);

const sameEntries = (a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean =>
  a === b || (a.size === b.size && [...a].every(([key, value]) => b.get(key) === value));
