import type { Instant } from '@laurel/calendar';
import { newKeyRequest, type NewKeyRequest } from '@laurel/schemas';
import { invalidField, valid } from '@laurel/runtime';

/**
 * The key that a body requests. @throws ProblemError 422 with every problem, also if the key would already have expired
 */
export function readNewKey(body: object, now: Instant): NewKeyRequest {
  const request = valid(newKeyRequest, body);
  if (typeof request.expiresAt === 'string' && Date.parse(request.expiresAt) <= now)
    throw invalidField('expiresAt', 'must lie in the future');
  return request;
}
