import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Ids that can be used unchanged in log lines and headers. */
const WELL_FORMED = /^[\w.:/+=-]{1,128}$/;

/** The caller's `X-Request-Id` if it is well-formed, else a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && WELL_FORMED.test(given) ? given : randomUUID();
}
