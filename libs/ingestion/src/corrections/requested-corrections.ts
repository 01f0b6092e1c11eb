import type { CorrectionRequest, PreviewCorrectionRequest, ProblemItem } from '@laurel/contracts';

/** What a body asks for. What no single field shows is added to `errors`. */
export function requestedCorrections(
  { corrections, achievements, finalRuns }: PreviewCorrectionRequest,
  errors: ProblemItem[],
): CorrectionRequest {
  const seen = new Set<string>();
  const asked = corrections.map(({ eventId, retract, value, occurredAt }, index) => {
    const refuse = (field: string, message: string) => errors.push({ path: `corrections.${index}${field}`, message });
    const [hasValue, hasInstant] = [typeof value === 'bigint', typeof occurredAt === 'number'];
    if (seen.has(eventId)) refuse('.eventId', 'must not name an event twice');
    seen.add(eventId);
    if (retract && (hasValue || hasInstant)) refuse('.retract', 'must not stand beside value or occurredAt');
    if (!retract && !hasValue && !hasInstant) refuse('', 'must have retract, value or occurredAt');
    if (retract) return { eventId, retract };
    return {
      eventId,
      ...(typeof value === 'bigint' && { value }),
      ...(typeof occurredAt === 'number' && { occurredAt }),
    };
  });
  return { corrections: asked, achievements: achievements ?? 'recompute', finalRuns: finalRuns ?? 'keep' };
}
