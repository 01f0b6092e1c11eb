import { problemOf, type Problem, type Scope } from '@laurel/schemas';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import {
  type ApiKeys,
  type FoundKey,
  hasApiKeyForm,
  type KeyRefusal,
  type Principal,
  type RateLimit,
} from '../api-keys.ts';
import { headerText } from './header-text.ts';
import { KeyHashes } from './key-hashes.ts';
import type { LocalSocketServer } from './local-socket-server.ts';
import { sendProblem, unknownPath } from './problem-reply.ts';
import type { RateLimits } from './rate-limits.ts';
import { RouteTable } from './route-table.ts';
import { isFromOwnPage, type Sessions, sessionToken } from './sessions.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A key needs one of these scopes; null: public. */
    scopes?: readonly Scope[] | null;
    /** Bytes; without it the application's limit. */
    bodyLimit?: number;
  }
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

/** Dependencies of the guard: they tell who is calling, and how often they may. */
export interface Gate {
  readonly keys: ApiKeys;
  readonly local: LocalSocketServer;
  readonly limits: RateLimits;
  /** null: nobody signs in with a browser here. */
  readonly sessions: SessionGate | null;
}

export interface SessionGate {
  readonly sessions: Sessions;
  /** The address of this service for browsers; null: the address that their requests name. */
  readonly publicUrl: string | null;
}

/** The caller of a request, or the problem that refuses it. */
type Caller = Admitted | { readonly problem: Problem };

interface Admitted {
  readonly principal: Principal;
  readonly credential: Credential;
}

/**
 * The one guard before every route, before anything of a body is read: 404 and 405, then 401, then 403, then 429 (specification,
 * section 2). A route that serves no operation is refused at start, so that none is open by omission.
 */
export function installGuard(fastify: FastifyInstance, { keys, local, limits, sessions }: Gate): RouteTable {
  const table = new RouteTable();
  const hashes = new KeyHashes();
  fastify.decorateRequest('principal', null);
  fastify.decorateRequest('credential', null);
  fastify.addHook('onRoute', (route) => registerRoute(table, route));
  fastify.addHook('onRequest', (request, reply, done) => {
    const problem = pathProblem(request, reply, table);
    if (problem !== null) return sendProblem(reply, problem);
    const { scopes } = request.routeOptions.config;
    if (scopes === null) return done();
    const admit = (caller: Caller) => {
      if ('problem' in caller) return sendProblem(reply, caller.problem);
      const { principal } = caller;
      const forbidden = scopeProblem(principal, scopes);
      const refused =
        principal.rateLimit === undefined ? forbidden : count(principal.rateLimit, forbidden, reply, limits);
      if (refused !== null) return sendProblem(reply, refused);
      request.principal = principal;
      request.credential = caller.credential;
      done();
    };
    const nearby = local.callerOf(request.raw);
    const caller =
      nearby === null ? callerOf(request, keys, hashes, sessions) : { principal: nearby, credential: LOCAL };
    if (caller instanceof Promise) caller.then(admit).catch(done);
    else admit(caller);
  });
  return table;
}

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

function registerRoute(table: RouteTable, route: RouteOptions & { path: string }): void {
  const config = route.config ?? {};
  const { scopes } = config;
  if (scopes === undefined) throw new Error(`${route.path} serves no operation`);
  if (config.bodyLimit !== undefined) route.bodyLimit = config.bodyLimit;
  for (const method of [route.method].flat()) table.add({ method, path: route.path, scopes });
}

function pathProblem(request: FastifyRequest, reply: FastifyReply, table: RouteTable): Problem | null {
  if (request.raw.headers.host === undefined && request.raw.httpVersion === '1.1')
    return problemOf('malformed_request', 'The Host header is missing.');
  if (!request.is404) return hasEmptyParameter(request) ? unknownPath() : null;
  const methods = table.methodsAt(request.raw.url ?? '');
  if (methods.length === 0) return unknownPath();
  void reply.header('allow', methods.join(', '));
  return problemOf('method_not_allowed', `This path is served for ${methods.join(', ')} only.`);
}

function hasEmptyParameter(request: FastifyRequest): boolean {
  const parameters = request.params as Readonly<Record<string, string>>;
  for (const name in parameters) if (parameters[name] === '') return true;
  return false;
}

/** Finds the caller by the key of the request or, only without a key, by its session. */
function callerOf(
  request: FastifyRequest,
  keys: ApiKeys,
  hashes: KeyHashes,
  sessions: SessionGate | null,
): Caller | Promise<Caller> {
  const hash = hashes.hashOf(request.raw);
  if (hash !== null) {
    const found = keys.find(hash);
    return found instanceof Promise
      ? found.then((known) => holderOf(known, hash, request))
      : holderOf(found, hash, request);
  }
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

/** Every answer to a key with a limit says what is left of the limit. A request that its scope forbids does not count. */
function count(limit: RateLimit, forbidden: Problem | null, reply: FastifyReply, limits: RateLimits): Problem | null {
  if (forbidden === null) return limits.admit(reply, limit);
  limits.announce(reply, limit);
  return forbidden;
}

function scopeProblem({ scopes }: Principal, suffices: readonly Scope[] = []): Problem | null {
  if (suffices.some((scope) => scopes.has(scope))) return null;
  return problemOf('forbidden', `The API key lacks the scope ${suffices.join(' or ')}.`);
}
