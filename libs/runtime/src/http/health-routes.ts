import { problemOf } from '@laurel/contracts';
import type { FastifyInstance } from 'fastify';
import type { Health } from '../health.ts';
import { PROBLEM_TYPE } from './problem-reply.ts';

/** `/healthz`: the process is alive. `/readyz`: every component is ready, or 503 saying which is not. */
export function installHealthRoutes(fastify: FastifyInstance, health: Health): void {
  fastify.get('/healthz', async () => ({ status: 'alive' }));
  fastify.get('/readyz', async (_request, reply) => {
    const { ok, components, notes } = await health.report();
    if (ok) return { status: 'ready', components, ...notes };
    const failing = Object.keys(components).filter((name) => components[name]?.ok === false);
    void reply.code(503).header('content-type', PROBLEM_TYPE).header('retry-after', '1');
    return { ...problemOf('unavailable', `Not ready: ${failing.join(', ')}.`), components, ...notes };
  });
}
