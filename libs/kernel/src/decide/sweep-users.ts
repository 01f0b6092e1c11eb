import type { Instant } from '@laurel/calendar';
import type { SweepUsers } from '../commands.ts';
import type { UsersSwept } from '../events.ts';
import { accepted, type Accepted } from './decision.ts';

export interface SweepState {
  readonly now: Instant;
  readonly isImporting: boolean;
}

/**
 * Sweeps nobody while an import is open, because events before the due instants may still be imported (specification,
 * section 7).
 */
export function sweepUsers({ subjects }: SweepUsers, { now, isImporting }: SweepState): Accepted<UsersSwept> {
  if (isImporting || subjects.length === 0) return accepted();
  return accepted({ occurredAt: now, event: { type: 'UsersSwept', subjects } });
}
