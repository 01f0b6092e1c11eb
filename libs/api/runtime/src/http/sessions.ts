import type { FastifyRequest } from 'fastify';
import type { Principal } from '../api-keys.ts';

/** The name of the cookie with the session's token. */
export const SESSION_COOKIE = 'laurel_session';

/** The sessions of people who are signed in with a browser. */
export interface Sessions {
  /** The caller of a session, or null if it has ended or never existed. @throws StoreUnavailableError */
  find(token: string): Promise<Principal | null>;
  /** Whether the session is open. Asking does not extend it. @throws StoreUnavailableError */
  isOpen(token: string): Promise<boolean>;
}

/** 256 bits in base64url. */
const TOKEN = /^[\w-]{43}$/;

/** The token of the request's session, or null if it has none. */
export function sessionToken({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [name, value] = pair.trim().split('=', 2);
    // Another value cannot be a token, so it is not worth a query.
    if (name === SESSION_COOKIE && value !== undefined && TOKEN.test(value)) return value;
  }
  return null;
}

/**
 * Whether the browser says that a page of this service sends the request. A page of another origin cannot forge this. A
 * browser that says nothing is too old to be trusted with a cookie.
 *
 * @param publicUrl a further address of this service for browsers, besides the one that the request names; null if
 * there is none
 */
export function isFromOwnPage({ headers }: Pick<FastifyRequest, 'headers'>, publicUrl: string | null): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin, host } = headers;
  if (origin === undefined || !URL.canParse(origin)) return false;
  const { origin: stated, host: statedHost } = new URL(origin);
  return statedHost === host || (publicUrl !== null && stated === new URL(publicUrl).origin);
}
