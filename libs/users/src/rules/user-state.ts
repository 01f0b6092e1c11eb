import type { Amount } from '@laurel/amounts';
import type { Instant, Zone } from '@laurel/calendar';
import { NEW_PROFILE, type Profile } from '@laurel/profile';

/** Who a user is, and the totals of their metrics. */
export interface UserState extends Profile {
  /** Instant of the first event, identification or completion by call; null: nothing has been recorded of them. */
  readonly createdAt: Instant | null;
  /** Instant of the record that last changed the profile. */
  readonly updatedAt: Instant;
  /** By metric key. */
  readonly totals: ReadonlyMap<string, Amount>;
}

export const UNKNOWN_USER: UserState = {
  createdAt: null,
  updatedAt: 0,
  ...NEW_PROFILE,
  totals: new Map(),
};

/** The user's clock (specification, section 1). */
export const clockOf = (state: UserState): Zone => state.tz ?? 'UTC';
