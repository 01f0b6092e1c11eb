import type { CorrectionRequest } from '@laurel/ports';
import type { PreviewCorrectionRequest, ProblemItem } from '@laurel/schemas';

/** The corrections that a body requests. Adds problems between fields to `errors`. */
export function requestedCorrections(
  { corrections, achievements, finalRuns }: PreviewCorrectionRequest,
  errors: ProblemItem[],
): CorrectionRequest {
  const seen = new Set<string>();
  const requested = corrections.map(({ eventId, retract, value, occurredAt, tz }, index) => {
    const refuse = (field: string, message: string) => errors.push({ path: `corrections.${index}${field}`, message });
    const amended = {
      ...(typeof value === 'bigint' && { value }),
      ...(typeof occurredAt === 'number' && { occurredAt }),
      ...(typeof tz === 'string' && { tz }),
    };
    const isAmended = Object.keys(amended).length > 0;
    if (seen.has(eventId)) refuse('.eventId', 'must not name an event twice');
    seen.add(eventId);
    if (retract && isAmended) refuse('.retract', 'must not stand beside value, occurredAt or tz');
    if (!retract && !isAmended) refuse('', 'must have retract, value, occurredAt or tz');
    return retract ? { eventId, retract } : { eventId, ...amended };
  });
  return { corrections: requested, achievements: achievements ?? 'recompute', finalRuns: finalRuns ?? 'keep' };
}
