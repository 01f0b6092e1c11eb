import { Agent, request as httpRequest } from 'node:http';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';

/** A route of the router; without scopes it is public. */
interface Route {
  readonly method: string;
  readonly path: string;
  readonly scopes: readonly string[] | null;
}

interface Request {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload?: string;
}

const CONTENT_TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'application/json\t; foo',
  ' application/json',
  'application/json;application/json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'APPLICATION/JSON',
  '',
];

const PATH_TRICKS: readonly ((path: string) => string)[] = [
  (path) => path,
  (path) => `${path}/`,
  (path) => `${path}?`,
  (path) => `${path}?x=/healthz`,
  (path) => `${path};/healthz`,
  (path) => `${path}#/healthz`,
  (path) => `/${path}`,
  (path) => `/.${path}`,
  (path) => `/healthz/..${path}`,
  (path) => `/healthz%2F..${path}`,
  (path) => `http://localhost${path}`,
  (path) => path.toUpperCase(),
  (path) => path.replace('/', '/%2e/'),
  (path) => path.replace(/e/, '%65'),
  (path) => path.replace(/\/([^/]*)$/, '//$1'),
  (path) => `${path}%00`,
  (path) => `${path}%zz`,
];

/**
 * Sends every route that is not public, with every trick and without a key, over real HTTP (a client that normalizes
 * paths would undo the tricks).
 * @returns the requests that were not refused with 4xx, and the number of requests sent.
 */
export async function findUnguarded(baseUrl: string, routes: readonly Route[]) {
  const agent = new Agent({ keepAlive: true });
  const unguarded: string[] = [];
  let sent = 0;
  for (const request of trickyRequests(routes.filter(({ scopes }) => scopes !== null))) {
    const status = await statusOf({ baseUrl }, request, agent);
    if (status < 400 || status > 499) unguarded.push(`${status} ${request.method} ${request.url}`);
    sent += 1;
  }
  agent.destroy();
  return { unguarded, sent };
}

/** The target of a request: an address or a Unix socket. */
type ServerAddress = { readonly baseUrl: string } | { readonly socketPath: string };

/**
 * Sends every route that is not public once, with a body that none accepts, so that admitted requests change nothing.
 * @returns the answer by route.
 */
export async function answersTo<R extends Route>(
  server: ServerAddress,
  routes: readonly R[],
  headers: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<R, number>> {
  const agent = new Agent({ keepAlive: true });
  const answers = new Map<R, number>();
  for (const route of routes.filter(({ scopes }) => scopes !== null)) {
    const { method } = route;
    const url = pathOf(route);
    const type: Record<string, string> = isBodiless(method) ? {} : { 'content-type': 'text/plain' };
    const request = { method, url, headers: { ...headers, ...type }, ...(!isBodiless(method) && { payload: '{' }) };
    answers.set(route, await statusOf(server, request, agent));
  }
  agent.destroy();
  return answers;
}

async function statusOf(
  server: ServerAddress,
  { method, url, headers, payload }: Request,
  agent: Agent,
): Promise<number> {
  // Without a length, Node sends the body of a DELETE as if it were the next request.
  const length = payload === undefined ? {} : { 'content-length': Buffer.byteLength(payload) };
  const request = httpRequest({ ...addressOf(server), method, path: url, headers: { ...headers, ...length }, agent });
  request.end(payload);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  if (response.headers['content-type']?.startsWith('text/event-stream')) response.destroy();
  else await once(response.resume(), 'end');
  return response.statusCode ?? 0;
}

function addressOf(server: ServerAddress) {
  if ('socketPath' in server) return server;
  const { hostname, port } = new URL(server.baseUrl);
  return { hostname, port };
}

const isBodiless = (method: string): boolean => method === 'GET' || method === 'HEAD';
const pathOf = ({ path }: Route): string => path.replaceAll(/:\w+/g, 'commits');

/**
 * Every route, with every trick on its path and every content type, and without anything that identifies the caller.
 */
function* trickyRequests(routes: readonly Route[]): Generator<Request> {
  for (const route of routes)
    for (const trick of PATH_TRICKS)
      for (const type of CONTENT_TYPES) {
        const { method } = route;
        const url = trick(pathOf(route));
        const headers: Record<string, string> = type === '' ? {} : { 'content-type': type };
        yield isBodiless(method)
          ? { method, url, headers }
          : { method, url, headers, payload: '{"user":{"id":"u"},"value":1}' };
      }
}
