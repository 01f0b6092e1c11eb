import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../metrics.ts';

/** `/metrics`: what the process has done, for Prometheus. */
export function installMetricsRoute(fastify: FastifyInstance, metrics: Metrics): void {
  fastify.get('/metrics', async (_request, reply) => {
    void reply.header('content-type', metrics.contentType).serializer(String);
    return metrics.text();
  });
}
