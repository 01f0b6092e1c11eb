import { StoreUnavailableError } from '@laurel/kernel';
import { OPERATIONS, operations, scopesOf, type Operation, type Problem } from '@laurel/schemas';
import { problemBelow, routeOf } from '@laurel/runtime';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Pool, request as ask, type Dispatcher } from 'undici';

/** The limit of reads. The read of outcomes may wait for outcomes, and the test of a webhook for 15 s. */
const READ_LIMIT_MS = 15_000;
const OUTGOING_LIMIT_MS = 45_000;

/** Reads that need the log, the directory, or tables that only ingestion gateways share. */
const ANSWERED_HERE = new Set(['watchEvents', 'getOpenImport', 'getUserOverview']);

/** Headers of the connection, not of the message (RFC 9110, section 7.6.1); `expect` was already answered. */
const HOP_BY_HOP = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Marks a request that an instance of the same kind has forwarded, so that it is not forwarded again. */
const HANDED_ON = 'laurel-handed-on';

const WEBHOOK_ROUTES = operations.listWebhooks.path;

/**
 * Forwards every read, of `/v1` and of all users, to a query gateway, so that clients need only one address. The query gateway checks the API key
 * itself. The path is forwarded unchanged, because a user id may contain anything, even `../`.
 */
export const forwardReads = (queryUrl: string) =>
  forwardTo(
    queryUrl,
    READ_LIMIT_MS,
    (operation) => operation.method === 'get' && isRead(operation) && !ANSWERED_HERE.has(operation.id),
  );

const isRead = (operation: Operation): boolean => scopesOf(operation)?.includes('read') === true;

/** Forwards the read of outcomes, and all operations of webhooks, to the outgoing service, which checks the API key itself. */
export const forwardToOutgoing = (outgoingUrl: string) =>
  forwardTo(
    outgoingUrl,
    OUTGOING_LIMIT_MS,
    ({ id, path }) => id === 'readOutcomes' || path === WEBHOOK_ROUTES || path.startsWith(`${WEBHOOK_ROUTES}/`),
  );

/**
 * Forwards operations of webhooks to the instance that delivers them.
 * @param workingAt `host:port` of its API; null if it is this instance. @throws StoreUnavailableError if there is none at present
 */
export const forwardToWorking = (workingAt: () => Promise<string | null>) => (fastify: FastifyInstance) => {
  fastify.addHook('preParsing', async (request, reply) => {
    const { url = '' } = request.routeOptions;
    if (url !== WEBHOOK_ROUTES && !url.startsWith(`${WEBHOOK_ROUTES}/`)) return;
    const address = await workingAt();
    if (address === null) return;
    if (request.headers[HANDED_ON] !== undefined) throw unreachable();
    const { path, ...asked } = askedBy(request);
    const limits = { bodyTimeout: OUTGOING_LIMIT_MS, headersTimeout: OUTGOING_LIMIT_MS };
    const headers = { ...asked.headers, [HANDED_ON]: '1' };
    await answer(reply, (signal) => ask(`http://${address}${path}`, { ...asked, ...limits, headers, signal }));
  });
};

const forwardTo =
  (address: string, limitMs: number, isForwarded: (operation: Operation) => boolean) =>
  async (fastify: FastifyInstance): Promise<void> => {
    const { origin, pathname } = new URL(address);
    const prefix = pathname.replace(/\/$/, '');
    const pool = new Pool(origin, { bodyTimeout: limitMs, headersTimeout: limitMs });
    fastify.addHook('onClose', () => pool.close());
    for (const operation of OPERATIONS) {
      if (operation.scope === null || !isForwarded(operation)) continue;
      fastify.route({
        ...routeOf(operation),
        // Answers before the body is read, because the other process validates the body.
        preParsing: async (request, reply) => {
          const { path: asked, ...message } = askedBy(request);
          await answer(reply, (signal) => pool.request({ ...message, path: `${prefix}${asked}`, signal }));
        },
        handler: () => undefined,
      });
    }
  };

/** The request, unchanged, for another process. */
function askedBy({ raw, id, credential }: FastifyRequest) {
  const hasBody = raw.headers['transfer-encoding'] !== undefined || Number(raw.headers['content-length'] ?? 0) > 0;
  return {
    method: raw.method as Dispatcher.HttpMethod,
    path: raw.url ?? '',
    headers: {
      ...endToEnd(raw.headers),
      'x-request-id': id,
      // The guard has checked the origin; the other process has another address.
      ...(credential?.kind === 'session' && { 'sec-fetch-site': 'same-origin' }),
    },
    body: hasBody ? raw : null,
  };
}

/**
 * Passes on the answer of the other process. A read is aborted when the caller disconnects; a write continues. No handler of this process
 * follows, even if the caller disconnected early.
 */
async function answer(
  reply: FastifyReply,
  asked: (signal: AbortSignal | null) => Promise<Dispatcher.ResponseData>,
): Promise<void> {
  const { method } = reply.request;
  const gone = new AbortController();
  const giveUp = () => gone.abort();
  reply.raw.once('close', giveUp);
  try {
    const { statusCode, headers, body } = await asked(method === 'GET' || method === 'HEAD' ? gone.signal : null);
    const { basePath } = reply.server;
    void reply.code(statusCode).headers(endToEnd(headers));
    if (basePath === '' || method === 'HEAD' || !isProblem(headers)) await reply.send(body);
    else {
      const problem = problemBelow(basePath, (await body.json()) as Problem);
      await reply.removeHeader('content-length').send(JSON.stringify(problem));
    }
  } catch (cause) {
    if (!reply.raw.destroyed) throw unreachable(cause);
  } finally {
    reply.raw.off('close', giveUp);
  }
  if (!reply.sent) reply.hijack();
}

/** The `type` of a problem is a page of this service, and the other process does not know its base path. */
const isProblem = (headers: Headers): boolean => String(headers['content-type']).startsWith('application/problem+json');

const unreachable = (cause?: unknown) =>
  new StoreUnavailableError('the process that answers this cannot be reached', { cause });

type Headers = Readonly<Record<string, string | string[] | undefined>>;

function endToEnd(headers: Headers): Record<string, string | string[]> {
  const named = String(headers['connection'] ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase());
  const kept = Object.entries(headers).filter(
    (entry): entry is [string, string | string[]] =>
      entry[1] !== undefined && entry[0] !== 'host' && !HOP_BY_HOP.has(entry[0]) && !named.includes(entry[0]),
  );
  return Object.fromEntries(kept);
}
