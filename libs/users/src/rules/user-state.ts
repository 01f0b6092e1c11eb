import type { Amount } from '@laurel/amounts';
import type { Instant, Zone } from '@laurel/calendar';

/** Who a user is, and the totals of their metrics. */
export interface UserState {
  /** Instant of the first event, identification or completion by call; null: nothing has been recorded of them. */
  readonly createdAt: Instant | null;
  /** Instant of the record that last changed what is below (totals apart). */
  readonly updatedAt: Instant;
  readonly name: string | null;
  readonly email: string | null;
  /** null: none was ever given; the clock is then UTC. */
  readonly tz: Zone | null;
  readonly attributes: ReadonlyMap<string, string>;
  /** By metric key. */
  readonly totals: ReadonlyMap<string, Amount>;
}

export const UNKNOWN_USER: UserState = {
  createdAt: null,
  updatedAt: 0,
  name: null,
  email: null,
  tz: null,
  attributes: new Map(),
  totals: new Map(),
};

/** The user's clock (specification, section 1). */
export const clockOf = (state: UserState): Zone => state.tz ?? 'UTC';
