import { createHash } from 'node:crypto';
import { formatAmount } from '@laurel/amounts';
import type { Subject } from '@laurel/kernel';
import type { CorrectionRequest } from '@laurel/ports';

/**
 * The id of a preview: the first 16 bytes, in hexadecimal, of SHA-256 over the request and the position of each user's latest correction. It
 * need not be stored: until one of its users is corrected, the same request has the same id in every process. The order of events and users
 * does not matter.
 * @param latest the position of each user's latest correction; 0 if there is none
 */
export function previewIdOf(
  account: string,
  { corrections, achievements, finalRuns }: CorrectionRequest,
  latest: ReadonlyMap<Subject, number>,
): string {
  const events = corrections.map(({ eventId, ...change }) => {
    if (change.retract) return [eventId, 'retract'];
    const { value, occurredAt = null, tz } = change;
    return [eventId, value === undefined ? null : formatAmount(value), occurredAt, ...(tz === undefined ? [] : [tz])];
  });
  const text = JSON.stringify([
    account,
    achievements,
    finalRuns,
    events.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
    [...latest].sort(([a], [b]) => a - b),
  ]);
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
