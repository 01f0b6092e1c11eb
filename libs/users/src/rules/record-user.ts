import { ZERO, type Amount } from '@laurel/amounts';
import type { Instant } from '@laurel/calendar';
import { applyFields, sameProfile, type UserFields } from '@laurel/profile';
import type { UserState } from './user-state.ts';

/**
 * Naming a user creates or updates them (specification, section 1.8). The instant of the first record is the user's
 * creation.
 */
export function nameUser(state: UserState, fields: UserFields, at: Instant): UserState {
  const named = applyFields(state, fields);
  if (state.createdAt === null) return { ...named, createdAt: at, updatedAt: at };
  return sameProfile(state, named) ? state : { ...named, updatedAt: at };
}

/** Adds a metric event's value to the user's total of that metric. */
export function addToTotal(state: UserState, metric: string, value: Amount): { state: UserState; total: Amount } {
  const total = (state.totals.get(metric) ?? ZERO) + value;
  return { state: { ...state, totals: new Map(state.totals).set(metric, total) }, total };
}
