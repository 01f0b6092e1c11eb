import { DOMAIN_EVENT_TYPES, type DomainEventType } from '@laurel/kernel';
import { LOGGED_BY_DEFAULT } from '@laurel/schemas';
import { cursorFormat, type Query } from '@laurel/runtime';
import { readStreamQuery, wholeIn, type StreamRange } from '../outcomes/stream-query.ts';

/** Events behind a position of the log. */
export const LOG_CURSOR = cursorFormat<number>(
  /^log:(\d{1,16})$/,
  ([position = '']) => wholeIn(position, 0, Number.MAX_SAFE_INTEGER),
  (position) => `log:${position}`,
);

/** @throws ProblemError 422 that lists every wrong parameter */
export const readEventsQuery = (query: Query): StreamRange<DomainEventType> =>
  readStreamQuery(query, {
    types: DOMAIN_EVENT_TYPES,
    of: 'events',
    limit: LOGGED_BY_DEFAULT,
    positionOf: LOG_CURSOR.read,
  });
