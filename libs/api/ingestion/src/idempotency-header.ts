import { earlierReadings, idempotencyKeyIn, isIdempotencyKey, quotedContent, type ProblemItem } from '@laurel/schemas';
import { headerText } from '@laurel/runtime';
import type { FastifyRequest } from 'fastify';

/** The key that a header brought. */
export interface HeaderKey {
  readonly key: string;
  /** The texts under which releases before 0.2 recorded it with its quotes; empty: it came without. */
  readonly quoted: readonly string[];
}

/**
 * The key of the header `Idempotency-Key`; undefined: there is none. What is wrong with it is added to `errors`.
 */
export function idempotencyHeader({ raw }: FastifyRequest, errors: ProblemItem[]): HeaderKey | undefined {
  const headers = headerValues(raw.rawHeaders, 'idempotency-key');
  const [header] = headers.map((value) => readHeader(headerText(value)));
  if (headers.length > 1) errors.push({ path: 'Idempotency-Key', message: 'must be given once' });
  else if (header !== undefined && !isIdempotencyKey(header.key))
    errors.push({ path: 'Idempotency-Key', message: 'must have 1–255 characters' });
  return header;
}

function readHeader(written: string): HeaderKey {
  const content = quotedContent(written);
  if (content === null) return { key: idempotencyKeyIn(written), quoted: [] };
  const quoted = [idempotencyKeyIn(written), ...earlierReadings(written)].filter(isIdempotencyKey);
  return { key: idempotencyKeyIn(content), quoted };
}

/** Every value that a header came with; Node would join them into one. */
function headerValues(rawHeaders: readonly string[], name: string): string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}
