import { type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import 'reflect-metadata';
import { type ArgumentsHost, Catch, type DynamicModule, type ExceptionFilter, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Clock } from '@laurel/ports';
import { writeJson } from '@laurel/schemas';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { API_KEY_FORM, type ApiKeys } from '../api-keys.ts';
import { createClock } from '../clock.ts';
import type { Environment } from '../environment/environment.ts';
import { DEFAULT_HTTP_LIMITS, type HttpLimits } from '../environment/http-limits.ts';
import type { Health } from '../health.ts';
import type { Metrics } from '../metrics.ts';
import { type Logger, nestLogger } from '../logging.ts';
import { withoutBasePath } from './base-path.ts';
import { installDownloads } from './downloads.ts';
import type { SessionGate } from './caller.ts';
import { installGuard } from './guard.ts';
import { installHealthRoutes } from './health-routes.ts';
import { installMetricsRoute } from './metrics-route.ts';
import { judgeExpectations } from './expectations.ts';
import { createTcpServer, type HttpPort } from './http-port.ts';
import { installJsonBody } from './json-body.ts';
import { installLines } from './line-streams.ts';
import { LocalSocketServer } from './local-socket-server.ts';
import { problemFor, rawProblem, sendProblem } from './problem-reply.ts';
import { RateLimits } from './rate-limits.ts';
import { RequestGate, type RequestHandler } from './request-gate.ts';
import { requestIdOf } from './request-id.ts';
import type { RouteTable } from './route-table.ts';

export const BODY_LIMIT = 64 * 1024;

/**
 * A user id of 255 code points, with up to twelve characters for each in a path. A longer parameter cannot be a known
 * id.
 */
const LONGEST_PARAMETER = 16 * 1024;

export interface HttpApplicationOptions {
  /** Nest modules with their controllers and routes. */
  readonly modules: readonly DynamicModule[];
  readonly keys: ApiKeys;
  /** The sessions of browsers. Without it, no session is accepted. */
  readonly sessions?: SessionGate;
  readonly health: Health;
  readonly logger: Logger;
  /** The metrics at `/metrics`, and who may read them. Without it, the path is not served. */
  readonly metrics?: Metrics;
  /** Installs routes outside controllers, behind the same guard. */
  readonly install?: (fastify: FastifyInstance) => void | Promise<void>;
  /** Measures rate limits and time limits. Default: the system clock. */
  readonly clock?: Clock;
  /** Default: {@link DEFAULT_HTTP_LIMITS}. */
  readonly limits?: Partial<HttpLimits>;
  /** See {@link basePathOf}. */
  readonly basePath?: string;
  /** A port that is already open. `listen` then serves the application on it, whatever its arguments. */
  readonly port?: HttpPort | null;
}

/** The limits that an operator has set. */
export const httpLimits = ({ maxConnections, maxPipelined, keepAliveSeconds }: Environment): Partial<HttpLimits> => ({
  connections: maxConnections,
  requestsPerConnection: maxPipelined,
  keepAliveSeconds,
});

export interface HttpApplication {
  readonly nest: NestFastifyApplication;
  readonly fastify: FastifyInstance;
  /** Every route that is served. */
  readonly routes: RouteTable['routes'];
  /** @returns the address, `http://host:port`. */
  listen(port: number, host: string): Promise<string>;
  /**
   * Also serves on a Unix socket in the data folder, where callers need no key: the file has the mode 0600, and whoever
   * can open it may do everything in this account.
   * @returns its path. @throws LocalSocketInUseError if another process serves from this folder; the system's error.
   */
  listenLocally(dataDir: string, account: string): Promise<string>;
  /** Accepts no new requests, and waits for running ones. */
  close(): Promise<void>;
  /** Closes every connection, with or without running requests. For a caller who has waited long enough for `close`. */
  closeConnections(): void;
}

/**
 * The common part of all HTTP processes: the guard, JSON in and out, problems for all errors. The result can `inject`
 * or `listen`.
 *
 * @throws Error if a route serves no operation.
 */
export async function createHttpApplication(options: HttpApplicationOptions): Promise<HttpApplication> {
  const { logger } = options;
  const limits = { ...DEFAULT_HTTP_LIMITS, ...options.limits };
  const gate = new RequestGate(limits);
  const { port: openPort = null, basePath = '', clock = createClock({ type: 'system' }) } = options;
  let handler: RequestHandler = () => undefined;
  const server = openPort?.server ?? createTcpServer(limits, logger);
  const onClientError = (error: NodeJS.ErrnoException, socket: Duplex): void => {
    const isLongStream = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && fastify.lineStreams.isStreaming(socket as Socket);
    if (!isLongStream) answerClientError(error, socket, basePath);
  };
  const adapter = createAdapter(logger, basePath, onClientError, (handle) => {
    handler = gate.before(handle);
    if (openPort === null) server.on('request', handler);
    return server;
  });
  const fastify = adapter.getInstance() as unknown as FastifyInstance;
  fastify.decorate('basePath', basePath);
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    done();
  });
  const local = new LocalSocketServer();
  const rateLimits = new RateLimits(clock);
  const sources = { keys: options.keys, local, sessions: options.sessions ?? null };
  const table = installGuard(fastify, sources, rateLimits);
  await installBehindGuard(fastify, options, clock, local);

  const root: DynamicModule = { module: RootModule, imports: [...options.modules] };
  const settings = { logger: nestLogger(logger), bodyParser: false, abortOnError: false } as const;
  const nest = await NestFactory.create<NestFastifyApplication>(root, adapter, settings);
  nest.useGlobalFilters(new ProblemFilter(logger));
  await nest.init();
  await fastify.ready();
  const shared = {
    handler: gate.before((request, response) => fastify.routing(request, response)),
    server: fastify.server,
    prepare: (server: Server) => void judgeExpectations(server.on('clientError', onClientError)),
  };

  return {
    nest,
    fastify,
    routes: table.routes,
    listen: async (port, host) => {
      if (openPort === null) return fastify.listen({ port, host });
      openPort.serve(handler);
      return openPort.url;
    },
    listenLocally: (dataDir, account) => local.listen(dataDir, account, shared),
    close: async () => void (await Promise.all([nest.close(), local.close(), openPort?.close()])),
    closeConnections: () => {
      fastify.server.closeAllConnections();
      local.closeConnections();
    },
  };
}

/** Installs bodies, answers, and the routes outside controllers. */
async function installBehindGuard(
  fastify: FastifyInstance,
  { logger, health, metrics, install }: HttpApplicationOptions,
  clock: Clock,
  local: LocalSocketServer,
): Promise<void> {
  installJsonBody(fastify);
  installLines(fastify, { clock, logger });
  installDownloads(fastify, { clock, logger });
  fastify.setReplySerializer(writeJson);
  if (logger.isLevelEnabled('debug')) installRequestLog(fastify, logger);
  installHealthRoutes(fastify, health);
  if (metrics) installMetricsRoute(fastify, metrics, local);
  await install?.(fastify);
}

/** The page of a user, whose address people type. The page itself reports an unknown user. */
const PAGE_OF_USER = /^\/console\/users\/[^/?]+(?:\?|$)/;

function canBeDecoded(url: string): boolean {
  try {
    decodeURIComponent(url.replace(/\?.*/, ''));
    return true;
  } catch {
    return false;
  }
}

@Module({})
class RootModule {}

/** Converts every error of a route to a problem. */
@Catch()
class ProblemFilter implements ExceptionFilter {
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const reply = http.getResponse<FastifyReply>();
    if (reply.sent) return;
    const { problem, headers } = problemFor(error, http.getRequest<FastifyRequest>().id, this.#logger);
    sendProblem(reply, problem, headers);
  }
}

function createAdapter(
  logger: Logger,
  basePath: string,
  onClientError: (error: NodeJS.ErrnoException, socket: Duplex) => void,
  serverFactory: (handler: RequestHandler) => Server,
): FastifyAdapter {
  return new FastifyAdapter({
    logger: false,
    requestIdHeader: false,
    genReqId: requestIdOf,
    serverFactory,
    // Nest middleware is not used; its plugin would add a hook to every request.
    skipMiddie: true,
    bodyLimit: BODY_LIMIT,
    // Still serves requests that arrive while closing, because Fastify's 503 is not a problem document.
    return503OnClosing: false,
    routerOptions: { maxParamLength: LONGEST_PARAMETER, ignoreTrailingSlash: true },
    rewriteUrl: ({ url: asked = '/' }) => {
      const url = withoutBasePath(asked, basePath);
      return PAGE_OF_USER.test(url) && !canBeDecoded(url) ? '/console/users/unknown' : url;
    },
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      sendProblem(reply, problemFor(error, request.id, logger).problem, { 'x-request-id': request.id });
    },
    clientErrorHandler: onClientError,
  });
}

function answerClientError(error: NodeJS.ErrnoException, socket: Duplex, basePath: string): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (socket.writable) socket.end(rawProblem(error, basePath));
  else socket.destroy();
}

function installRequestLog(fastify: FastifyInstance, logger: Logger): void {
  fastify.addHook('onResponse', (request, reply, done) => {
    const { method, id: requestId } = request;
    const url = request.url.replaceAll(API_KEY_FORM, '[redacted]');
    logger.debug(
      { requestId, method, url, status: reply.statusCode, durationMs: Math.round(reply.elapsedTime) },
      'request',
    );
    done();
  });
}
