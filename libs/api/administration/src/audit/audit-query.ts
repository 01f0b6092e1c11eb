import { ProblemError, invalidRequest, mistakenParameters } from '@laurel/schemas';
import type { Query } from '@laurel/runtime';

/** A page of entries. */
export interface AuditRange {
  /** Only entries below this position of the log; null: from the newest entry on. */
  readonly before: number | null;
  readonly limit: number;
}

const MOST = 100;
const DEFAULT = 50;

/** An opaque cursor for the entries below a position. */
export const cursorBelow = (position: number): string => Buffer.from(`audit:${position}`).toString('base64url');

/** @throws ProblemError 422 with every parameter that is wrong */
export function readAuditQuery(query: Query): AuditRange {
  const { limit = String(DEFAULT), cursor } = query;
  const errors = mistakenParameters(['limit', 'cursor'], query);
  const asked = typeof limit === 'string' && /^\d{1,3}$/.test(limit) ? Number(limit) : NaN;
  if (!(asked >= 1 && asked <= MOST)) errors.push({ path: 'limit', message: `must be an integer from 1 to ${MOST}` });
  const before = cursor === undefined ? null : positionIn(cursor);
  if (before === undefined) errors.push({ path: 'cursor', message: 'must be `next` of a page of this route' });
  if (before === undefined || errors.length > 0) throw new ProblemError(invalidRequest(errors));
  return { before, limit: asked };
}

function positionIn(cursor: string | readonly string[]): number | undefined {
  if (typeof cursor !== 'string') return undefined;
  const [, digits] = /^audit:(\d{1,16})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
