import { OPERATIONS, StoreUnavailableError, type Operation } from '@laurel/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Pool, type Dispatcher } from 'undici';

/** A read that takes longer is given up; that of outcomes may wait for some. */
const READ_LIMIT_MS = 15_000;
const OUTCOMES_LIMIT_MS = 45_000;

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
export const forwardReads = (queryUrl: string) =>
  forwardTo(queryUrl, READ_LIMIT_MS, ({ id, scope }) => scope === 'read' && !ANSWERED_HERE.has(id));

/** Hands the read of outcomes on to the outgoing service, which looks at the key for itself. */
export const forwardOutcomes = (outgoingUrl: string) =>
  forwardTo(outgoingUrl, OUTCOMES_LIMIT_MS, ({ id }) => id === 'readOutcomes');

const forwardTo =
  (address: string, limitMs: number, isForwarded: (operation: Operation) => boolean) =>
  async (fastify: FastifyInstance): Promise<void> => {
    const { origin, pathname } = new URL(address);
    const prefix = pathname.replace(/\/$/, '');
    const pool = new Pool(origin, { bodyTimeout: limitMs, headersTimeout: limitMs });
    fastify.addHook('onClose', () => pool.close());
    for (const operation of OPERATIONS) {
      const { method, path, scope } = operation;
      if (method !== 'get' || scope === null || !isForwarded(operation)) continue;
      const url = path.replaceAll(/\{(\w+)\}/g, ':$1');
      fastify.get(url, { config: { scope } }, (request, reply) => forward(pool, prefix, request, reply));
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
    throw new StoreUnavailableError('the process that answers this cannot be reached', { cause });
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
