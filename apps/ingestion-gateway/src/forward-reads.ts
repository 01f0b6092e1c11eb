import { OPERATIONS, StoreUnavailableError } from '@laurel/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Pool, type Dispatcher } from 'undici';

/** A read that takes longer is given up. */
const READ_LIMIT_MS = 15_000;

/** Reads that need the log, or what only ingestion gateways share. */
const ANSWERED_HERE = new Set(['watchEvents', 'getOpenImport']);

/** Of the connection, not of the message (RFC 9110, section 7.6.1). */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Hands every read, of `/v1` and of all users, on to a query gateway, so that clients need to know one address only. The key goes with it: the
 * query gateway looks at it for itself. The path is handed on as it came, because a user id may hold anything, also `../`.
 */
export const forwardReads =
  (queryUrl: string) =>
  async (fastify: FastifyInstance): Promise<void> => {
    const { origin, pathname } = new URL(queryUrl);
    const prefix = pathname.replace(/\/$/, '');
    const pool = new Pool(origin, { bodyTimeout: READ_LIMIT_MS, headersTimeout: READ_LIMIT_MS });
    fastify.addHook('onClose', () => pool.close());
    for (const { id, method, path, scope } of OPERATIONS) {
      if (method !== 'get' || scope !== 'read' || ANSWERED_HERE.has(id)) continue;
      const url = path.replaceAll(/\{(\w+)\}/g, ':$1');
      fastify.get(url, { config: { scope: 'read' } }, (request, reply) => forward(pool, prefix, request, reply));
    }
  };

async function forward(
  pool: Pool,
  prefix: string,
  { raw, id }: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { statusCode, headers, body } = await ask(pool, {
    method: raw.method as 'GET' | 'HEAD',
    path: `${prefix}${raw.url ?? ''}`,
    headers: { ...endToEnd(raw.headers), 'x-request-id': id },
  });
  return reply.code(statusCode).headers(endToEnd(headers)).send(body);
}

async function ask(pool: Pool, request: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData> {
  try {
    return await pool.request(request);
  } catch (cause) {
    throw new StoreUnavailableError('the query gateway cannot be reached', { cause });
  }
}

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
