import { BlockList, isIPv6 } from 'node:net';
import { operations, problemOf } from '@laurel/schemas';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Metrics } from '../metrics.ts';
import type { LocalSocketServer } from './local-socket-server.ts';
import { sendProblem } from './problem-reply.ts';
import { routeOf } from './route.ts';

/** Upper limits of the buckets, in seconds. */
const RESPONSE_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** Serves `/metrics` for Prometheus, and measures the duration of answers. */
export function installMetricsRoute(fastify: FastifyInstance, metrics: Metrics, local: LocalSocketServer): void {
  if (metrics.access === 'off') return;
  measureResponses(fastify, metrics);
  fastify.route({
    ...routeOf(operations.getMetrics),
    handler: async (request, reply) => {
      if (metrics.access === 'local' && !isOfThisMachine(request, local)) {
        const detail =
          'The metrics are shown to callers on this machine only; LAUREL_METRICS=public shows them to all.';
        return sendProblem(reply, problemOf('forbidden', detail));
      }
      void reply.header('content-type', metrics.contentType).serializer(String);
      return reply.send(await metrics.text());
    },
  });
}

/** Uses the address of the connection, because a sender can forge headers. */
function isOfThisMachine({ raw }: FastifyRequest, local: LocalSocketServer): boolean {
  const { remoteAddress } = raw.socket;
  if (remoteAddress === undefined) return local.callerOf(raw) !== null;
  return LOOPBACK.check(remoteAddress, isIPv6(remoteAddress) ? 'ipv6' : 'ipv4');
}

/** Labelled by the route's template, because paths contain any number of ids. */
function measureResponses(fastify: FastifyInstance, metrics: Metrics): void {
  const measured = metrics.spreadEach(
    { name: 'laurel_http_response_seconds', help: 'Time from a request to the end of its answer.' },
    ['method', 'route', 'status'],
    RESPONSE_BUCKETS,
  );
  fastify.addHook('onResponse', (request, reply, done) => {
    const { url: route } = request.routeOptions;
    const where = request.is404 || route === undefined ? UNKNOWN_ROUTE : { method: request.method, route };
    measured({ ...where, status: reply.statusCode }, reply.elapsedTime / 1_000);
    done();
  });
}

const UNKNOWN_ROUTE = { method: 'any', route: 'none' };
