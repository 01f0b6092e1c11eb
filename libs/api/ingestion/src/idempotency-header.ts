import { earlierReadings, idempotencyKeyIn, isIdempotencyKey, quotedContent, type ProblemItem } from '@laurel/schemas';
import { headerText } from '@laurel/runtime';
import type { FastifyRequest } from 'fastify';

/** The key from a header. */
export interface HeaderKey {
  readonly key: string;
  /** The texts that releases before 0.2 recorded, including quotes. Empty if the key came without quotes. */
  readonly quoted: readonly string[];
}

/** The key of the header `Idempotency-Key`, or undefined if there is none. Adds its faults to `errors`. */
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

/** All values of a header; Node would join them into one. */
function headerValues(rawHeaders: readonly string[], name: string): string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}
