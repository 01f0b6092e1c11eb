import type { Instant } from '@laurel/calendar';
import { ProblemError, invalidRequest, newKeyRequest, problemItems, type NewKeyRequest } from '@laurel/contracts';

/** The key that a body asks for. @throws ProblemError 422 with every problem; a key that would be refused at once is one. */
export function readNewKey(body: object, now: Instant): NewKeyRequest {
  const { data, error } = newKeyRequest.safeParse(body);
  if (error) throw new ProblemError(invalidRequest(problemItems(error)));
  if (typeof data.expiresAt === 'string' && Date.parse(data.expiresAt) <= now)
    throw new ProblemError(invalidRequest([{ path: 'expiresAt', message: 'must lie in the future' }]));
  return data;
}
