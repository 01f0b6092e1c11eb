import { problemOf, type Problem } from '@laurel/schemas';
import type { FastifyRequest } from 'fastify';
import { type ApiKeys, type FoundKey, hasApiKeyForm, type KeyRefusal, type Principal } from '../api-keys.ts';
import { headerText } from './header-text.ts';
import { KeyHashes } from './key-hashes.ts';
import type { LocalSocketServer } from './local-socket-server.ts';
import { isFromOwnPage, type Sessions, sessionToken } from './sessions.ts';

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null;
    credential: Credential | null;
  }
}

/** Identifies a caller: the hash of a key, the token of a session, or the local socket. It is neither logged nor answered. */
export type Credential =
  | { readonly kind: 'key'; readonly hash: string }
  | { readonly kind: 'session'; readonly token: string }
  | { readonly kind: 'local' };

const LOCAL: Credential = { kind: 'local' };

/** The sources that identify callers. */
export interface CallerSources {
  readonly keys: ApiKeys;
  readonly local: LocalSocketServer;
  /** null if browsers cannot sign in here. */
  readonly sessions: SessionGate | null;
}

export interface SessionGate {
  readonly sessions: Sessions;
  /** The address of this service for browsers; null for the address in their requests. */
  readonly publicUrl: string | null;
}

/** The caller of a request, or the problem that refuses it. */
export type Caller = { readonly principal: Principal; readonly credential: Credential } | { readonly problem: Problem };

/** The caller of a route that is not public. */
export function principalOf(request: FastifyRequest): Principal {
  if (request.principal === null) throw new Error('a route was reached without passing the guard');
  return request.principal;
}

/** The credential of the caller of a route that is not public. */
export function credentialOf(request: FastifyRequest): Credential {
  if (request.credential === null) throw new Error('a route was reached without passing the guard');
  return request.credential;
}

/** Finds callers by the local socket, by the key of the request or, only without a key, by its session. */
export function findCallers({ keys, local, sessions }: CallerSources) {
  const hashes = new KeyHashes();
  return (request: FastifyRequest): Caller | Promise<Caller> => {
    const nearby = local.callerOf(request.raw);
    if (nearby !== null) return { principal: nearby, credential: LOCAL };
    const hash = hashes.hashOf(request.raw);
    return hash === null ? bySession(request, sessions) : byKey(request, keys, hash);
  };
}

function byKey(request: FastifyRequest, keys: ApiKeys, hash: string): Caller | Promise<Caller> {
  const found = keys.find(hash);
  return found instanceof Promise
    ? found.then((known) => holderOf(known, hash, request))
    : holderOf(found, hash, request);
}

function bySession(request: FastifyRequest, sessions: SessionGate | null): Caller | Promise<Caller> {
  const token = sessions === null ? null : sessionToken(request);
  if (sessions === null || token === null) return { problem: unauthorized('missing', request) };
  if (!READING.has(request.method) && !isFromOwnPage(request, sessions.publicUrl))
    return { problem: NOT_FROM_OWN_PAGE };
  return sessions.sessions
    .find(token)
    .then((principal) =>
      principal === null ? { problem: SESSION_ENDED } : { principal, credential: { kind: 'session', token } },
    );
}

const holderOf = (found: FoundKey, hash: string, request: FastifyRequest): Caller =>
  typeof found === 'string'
    ? { problem: unauthorized(found, request) }
    : { principal: found, credential: { kind: 'key', hash } };

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD']);
const SESSION_ENDED = problemOf('unauthorized', 'The session has ended. Sign in again.');
const NOT_FROM_OWN_PAGE = problemOf(
  'forbidden',
  'A session changes something only from a page of this service: neither Sec-Fetch-Site nor Origin names one.',
);

function keyOf(request: FastifyRequest): string {
  const key = request.headers['x-api-key'];
  return typeof key === 'string' ? headerText(key) : '';
}

/** Tells the holder of a key why it is refused. It does not repeat the key, because answers are logged. */
function unauthorized(reason: KeyRefusal | 'missing', request: FastifyRequest): Problem {
  switch (reason) {
    case 'missing':
      return problemOf('unauthorized', `The header X-API-KEY is missing${insteadOfKey(request)}.`);
    case 'unknown':
      return problemOf('unauthorized', `The API key in X-API-KEY is unknown${mistyped(keyOf(request))}.`);
    case 'revoked':
      return problemOf('unauthorized', 'The API key in X-API-KEY was revoked.');
    case 'expired':
      return problemOf('unauthorized', 'The API key in X-API-KEY has expired.');
  }
}

const insteadOfKey = ({ headers }: FastifyRequest): string =>
  headers.authorization === undefined ? '' : '; Authorization (such as Bearer) is not read';

const mistyped = (key: string): string =>
  key.startsWith('lrl_') && !hasApiKeyForm(key) ? ': its checksum is wrong, so it was mistyped or cut off' : '';
