import { DOMAIN_EVENT_TYPES, type DomainEventType } from '@laurel/kernel';
import { LOGGED_BY_DEFAULT } from '@laurel/schemas';
import type { Query } from '@laurel/runtime';
import { readStreamQuery, wholeIn, type StreamRange } from '../outcomes/stream-query.ts';

/** Every cursor of the log begins with it. A cursor of another list is refused. */
const PREFIX = 'log:';

/** Opaque for callers. */
export const cursorAt = (position: number): string => Buffer.from(`${PREFIX}${position}`).toString('base64url');

/** @throws ProblemError 422 with every parameter that is wrong */
export const readEventsQuery = (query: Query): StreamRange<DomainEventType> =>
  readStreamQuery(query, { types: DOMAIN_EVENT_TYPES, of: 'events', limit: LOGGED_BY_DEFAULT, positionOf });

function positionOf(cursor: string): number | null {
  const text = Buffer.from(cursor, 'base64url').toString();
  return text.startsWith(PREFIX) ? wholeIn(text.slice(PREFIX.length), 0, Number.MAX_SAFE_INTEGER) : null;
}
