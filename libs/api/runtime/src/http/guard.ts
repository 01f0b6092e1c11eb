import { problemOf, type Problem, type Scope } from '@laurel/schemas';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { Principal, RateLimit } from '../api-keys.ts';
import { findCallers, type Caller, type CallerSources } from './caller.ts';
import { sendProblem, unknownPath } from './problem-reply.ts';
import type { RateLimits } from './rate-limits.ts';
import { RouteTable } from './route-table.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A key needs one of these scopes; null for a public route. */
    scopes?: readonly Scope[] | null;
    /** In bytes. Default: the application's limit. */
    bodyLimit?: number;
  }
}

/**
 * The guard of all routes. It runs before any part of a body is read, and checks in this order: 404 and 405, 401, 403,
 * 429 (specification, section 2). A route that serves no operation is refused at the start, so no route is left open by
 * mistake.
 */
export function installGuard(fastify: FastifyInstance, sources: CallerSources, limits: RateLimits): RouteTable {
  const table = new RouteTable();
  const callerOf = findCallers(sources);
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
    const caller = callerOf(request);
    if (caller instanceof Promise) caller.then(admit).catch(done);
    else admit(caller);
  });
  return table;
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
