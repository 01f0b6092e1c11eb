import type { Instant } from '@laurel/calendar';
import {
  ProblemError,
  invalidRequest,
  newKeyRequest,
  readRequest,
  revokeKeyQuery,
  type NewKeyRequest,
} from '@laurel/schemas';

/** The key that a body asks for. @throws ProblemError 422 with every problem; a key that would be refused at once is one. */
export function readNewKey(body: object, now: Instant): NewKeyRequest {
  const { data, errors } = readRequest(newKeyRequest, body);
  if (data === undefined || errors.length > 0) throw new ProblemError(invalidRequest(errors));
  if (typeof data.expiresAt === 'string' && Date.parse(data.expiresAt) <= now)
    throw new ProblemError(invalidRequest([{ path: 'expiresAt', message: 'must lie in the future' }]));
  return data;
}

/** Why a key is revoked, by the query of the request. @throws ProblemError 422 if that cannot be a reason */
export function readReason(query: object): string | null | undefined {
  const { data, errors } = readRequest(revokeKeyQuery, query);
  if (data === undefined || errors.length > 0) throw new ProblemError(invalidRequest(errors));
  return data.reason;
}
