import { operations, problemOf } from '@laurel/schemas';
import type { FastifyInstance } from 'fastify';
import type { Health } from '../health.ts';
import { PROBLEM_TYPE } from './problem-reply.ts';
import { routeOf } from './route.ts';

/**
 * `/healthz` answers 200 while the process is alive, and 503 with the reason if it must be restarted. `/readyz` answers
 * 200 if every component is ready, otherwise 503 with the ones that are not.
 */
export function installHealthRoutes(fastify: FastifyInstance, health: Health): void {
  fastify.route({
    ...routeOf(operations.getHealth),
    handler: async (_request, reply) => {
      const reasons = health.whyRestart();
      if (reasons.length === 0) return { status: 'alive' };
      void reply.code(503).header('content-type', PROBLEM_TYPE);
      return problemOf('unavailable', `This process has to be restarted: ${reasons.join('; ')}.`);
    },
  });
  fastify.route({
    ...routeOf(operations.getReadiness),
    handler: async (_request, reply) => {
      const { ok, components, notes } = await health.report();
      if (ok) return { status: 'ready', components, ...notes };
      const failing = Object.keys(components).filter((name) => components[name]?.ok === false);
      void reply.code(503).header('content-type', PROBLEM_TYPE).header('retry-after', '1');
      return { ...problemOf('unavailable', `Not ready: ${failing.join(', ')}.`), components, ...notes };
    },
  });
}
