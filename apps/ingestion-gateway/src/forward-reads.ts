import replyFrom from '@fastify/reply-from';
import { OPERATIONS, ProblemError, problemOf } from '@laurel/contracts';
import type { FastifyInstance } from 'fastify';

/** A read that takes longer is given up. */
const READ_LIMIT_MS = 15_000;

/**
 * Hands every read of `/v1` on to a query gateway, so that clients need to know one address only. The key goes with it: the
 * query gateway looks at it for itself.
 */
export const forwardReads =
  (queryUrl: string) =>
  async (fastify: FastifyInstance): Promise<void> => {
    await fastify.register(replyFrom, {
      base: queryUrl,
      undici: { bodyTimeout: READ_LIMIT_MS, headersTimeout: READ_LIMIT_MS },
    });
    for (const { method, path } of OPERATIONS) {
      if (method !== 'get' || !path.startsWith('/v1/')) continue;
      const url = path.replaceAll(/\{(\w+)\}/g, ':$1');
      fastify.get(url, { config: { scope: 'read' } }, (request, reply) =>
        reply.from(request.raw.url ?? url, {
          onError: (failed) => void failed.send(unreachable()),
        }),
      );
    }
  };

const unreachable = () =>
  new ProblemError(problemOf('unavailable', 'The query gateway cannot be reached; nothing was changed.'));
