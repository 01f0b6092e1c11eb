import type { Refusal, Refused } from '@laurel/kernel';

const RETRY_AFTER_MS = 1_000;

/** Reasons for which the same command would be refused again. */
const FINAL: ReadonlySet<Refused['reason']> = new Set([
  'rejected',
  'too_many_attributes',
  'too_many_awards',
  'too_many_boosts',
  'unknown_user',
  'import_open',
  'area_stopped',
  'not_active',
  'unknown_event',
  'unknown_metric',
  'too_many_runs',
  'corrected_meanwhile',
]);

export const refused = (reason: Refused['reason'], eventId: string | null): Refused => ({
  kind: 'refused',
  reason,
  eventId,
  retryAfterMs: FINAL.has(reason) ? null : RETRY_AFTER_MS,
});

/** The caller's result for a command that its decision refuses. */
export const refusedBy = ({ reason, owed }: Refusal): Refused => ({
  ...refused(reason, null),
  ...(owed !== undefined && { owed }),
});
