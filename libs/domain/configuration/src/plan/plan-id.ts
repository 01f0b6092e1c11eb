import { createHash } from 'node:crypto';
import { canonical } from '../document/same-document.ts';
import type { Publication } from '../history/publication.ts';

/**
 * Identifies the plan of a document against the one in force, by the content of both and the number of the version in
 * force. The number alone is not enough, because publications before the first event keep it. @throws Error if a
 * document is not valid: validate it first
 */
export function planId(inForce: Publication | undefined, document: unknown): string {
  const planned = [inForce?.version ?? 0, inForce ? canonical(inForce.document) : null, canonical(document)];
  return createHash('sha256').update(JSON.stringify(planned, byName)).digest('hex').slice(0, LENGTH);
}

const LENGTH = 32;

/** Sorts fields by name, because the store does not keep their order. */
const byName = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;
