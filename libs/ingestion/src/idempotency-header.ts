import { idempotencyKeyIn, isIdempotencyKey, type ProblemItem } from '@laurel/contracts';
import { headerText } from '@laurel/runtime';
import type { FastifyRequest } from 'fastify';

/**
 * The key of the header `Idempotency-Key`; undefined: there is none. What is wrong with it is added to `errors`.
 */
export function idempotencyHeader({ raw }: FastifyRequest, errors: ProblemItem[]): string | undefined {
  const headers = headerValues(raw.rawHeaders, 'idempotency-key');
  const [key] = headers.map((value) => idempotencyKeyIn(headerText(value)));
  if (headers.length > 1) errors.push({ path: 'Idempotency-Key', message: 'must be given once' });
  else if (key !== undefined && !isIdempotencyKey(key))
    errors.push({ path: 'Idempotency-Key', message: 'must have 1–255 characters' });
  return key;
}

/** Every value that a header came with; Node would join them into one. */
function headerValues(rawHeaders: readonly string[], name: string): string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}
