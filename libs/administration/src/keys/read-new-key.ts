import type { Instant } from '@laurel/calendar';
import { ProblemError, invalidRequest, newKeyRequest, readRequest, type NewKeyRequest } from '@laurel/contracts';

/** The key that a body asks for. @throws ProblemError 422 with every problem; a key that would be refused at once is one. */
export function readNewKey(body: object, now: Instant): NewKeyRequest {
  const { data, errors } = readRequest(newKeyRequest, body);
  if (data === undefined || errors.length > 0) throw new ProblemError(invalidRequest(errors));
  if (typeof data.expiresAt === 'string' && Date.parse(data.expiresAt) <= now)
    throw new ProblemError(invalidRequest([{ path: 'expiresAt', message: 'must lie in the future' }]));
  return data;
}
