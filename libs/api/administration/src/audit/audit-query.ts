import { ProblemError, invalidRequest, mistakenParameters } from '@laurel/schemas';
import { numberCursor, type Query } from '@laurel/runtime';

/** A page of entries. */
export interface AuditRange {
  /** Only entries before this log position; null begins with the newest entry. */
  readonly before: number | null;
  readonly limit: number;
}

const MOST = 100;
const DEFAULT = 50;

/** The entries below a position. */
export const AUDIT_CURSOR = numberCursor('audit', 16);

/** @throws ProblemError 422 that lists every wrong parameter */
export function readAuditQuery(query: Query): AuditRange {
  const { limit = String(DEFAULT), cursor } = query;
  const errors = mistakenParameters(['limit', 'cursor'], query);
  const asked = typeof limit === 'string' && /^\d{1,3}$/.test(limit) ? Number(limit) : NaN;
  if (!(asked >= 1 && asked <= MOST)) errors.push({ path: 'limit', message: `must be an integer from 1 to ${MOST}` });
  const before = typeof cursor === 'string' ? AUDIT_CURSOR.read(cursor) : null;
  if (cursor !== undefined && before === null)
    errors.push({ path: 'cursor', message: 'must be `next` of a page of this route' });
  if (errors.length > 0) throw new ProblemError(invalidRequest(errors));
  return { before, limit: asked };
}
