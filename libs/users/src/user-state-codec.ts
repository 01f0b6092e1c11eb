import { formatAmount, parseAmount } from '@laurel/amounts';
import type { Instant, Zone } from '@laurel/calendar';
import type { UserState } from './rules/user-state.ts';

interface StoredUser {
  readonly created: Instant | null;
  readonly updated: Instant;
  readonly name?: string;
  readonly email?: string;
  readonly tz?: Zone;
  readonly attributes?: readonly (readonly [string, string])[];
  /** Absent in states that were stored before these were kept: what is never sent has no place in a state. */
  readonly subscribeToEmails?: false;
  readonly deviceTokens?: readonly string[];
  readonly totals: readonly (readonly [string, string])[];
}

/** Pairs, not objects: `__proto__` is a legal key. */
export const encodeUserState = (state: UserState): StoredUser => ({
  created: state.createdAt,
  updated: state.updatedAt,
  ...(state.name !== null && { name: state.name }),
  ...(state.email !== null && { email: state.email }),
  ...(state.tz !== null && { tz: state.tz }),
  ...(state.attributes.size > 0 && { attributes: [...state.attributes] }),
  ...(!state.subscribeToEmails && { subscribeToEmails: false }),
  ...(state.deviceTokens.length > 0 && { deviceTokens: state.deviceTokens }),
  totals: [...state.totals].map(([metric, total]) => [metric, formatAmount(total)]),
});

export function decodeUserState(json: unknown): UserState {
  const stored = json as StoredUser;
  return {
    createdAt: stored.created,
    updatedAt: stored.updated,
    name: stored.name ?? null,
    email: stored.email ?? null,
    tz: stored.tz ?? null,
    attributes: new Map(stored.attributes),
    subscribeToEmails: stored.subscribeToEmails ?? true,
    deviceTokens: stored.deviceTokens ?? [],
    totals: new Map(stored.totals.map(([metric, total]) => [metric, parseAmount(total)])),
  };
}
