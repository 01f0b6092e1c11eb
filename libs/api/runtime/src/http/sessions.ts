import type { FastifyRequest } from 'fastify';
import type { Principal } from '../api-keys.ts';

/** Under which a browser keeps the token of its session. */
export const SESSION_COOKIE = 'laurel_session';

/** The sessions of people who have signed in with a browser. */
export interface Sessions {
  /** The caller of a session; null: it has ended, or there was none. @throws StoreUnavailableError */
  find(token: string): Promise<Principal | null>;
  /** Whether the session goes on. Asking is no use of it, so it does not extend it. @throws StoreUnavailableError */
  isOpen(token: string): Promise<boolean>;
}

/** 256 bits in base64url. */
const TOKEN = /^[\w-]{43}$/;

/** The token of the session that a request brings; null: it brings none. */
export function sessionToken({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [name, value] = pair.trim().split('=', 2);
    // Any other value is no token of ours, and not worth a query.
    if (name === SESSION_COOKIE && value !== undefined && TOKEN.test(value)) return value;
  }
  return null;
}

/**
 * Whether a browser says that a page of this service sends the request. A page of another origin cannot make it say so, and a
 * browser that says nothing is too old to be trusted with a cookie.
 *
 * @param publicUrl where browsers reach this service, beside where the request says; null: nowhere else
 */
export function isFromOwnPage({ headers }: Pick<FastifyRequest, 'headers'>, publicUrl: string | null): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin, host } = headers;
  if (origin === undefined || !URL.canParse(origin)) return false;
  const { origin: stated, host: statedHost } = new URL(origin);
  return statedHost === host || (publicUrl !== null && stated === new URL(publicUrl).origin);
}
