import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '@laurel/ports';
import { operations, problemOf } from '@laurel/schemas';
import { DEFAULT_HTTP_LIMITS, type HttpLimits } from '../environment/http-limits.ts';
import type { Logger } from '../logging.ts';
import { judgeExpectations } from './expectations.ts';
import { problemBelow, PROBLEM_TYPE } from './problem-reply.ts';
import { PortError, portRefusal } from './port-check.ts';
import type { RequestHandler } from './request-gate.ts';
import { StartSteps, type StepReport } from './start-steps.ts';
import { withoutBasePath } from './base-path.ts';

/** In milliseconds. */
const REQUEST_TIMEOUT = 60_000;
/** How long `close` waits for connections, in milliseconds. During the start, all requests are answered at once. */
const CLOSE_PATIENCE = { starting: 1_000, serving: 15_000 };
/** Sent to requests during the start, in seconds. */
const RETRY_AFTER = '1';

export interface HttpPortOptions {
  /** 0 for any free port. */
  readonly port: number;
  readonly host: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Default: {@link DEFAULT_HTTP_LIMITS}. */
  readonly limits?: Partial<HttpLimits>;
  /** The base path of `LAUREL_PUBLIC_URL`. */
  readonly basePath?: string;
  /** Receives the steps of the start. Default: they are logged. */
  readonly report?: StepReport;
}

/**
 * The port of a process, open from its first moment. Before {@link serve}, it answers 503 `starting` with the name of
 * the running step, and 200 on `/healthz`. Afterwards, the same socket and its connections serve the application.
 */
export class HttpPort {
  readonly server: Server;
  /** `http://host:port`. */
  readonly url: string;
  readonly #clock: Clock;
  readonly #starting: RequestHandler;
  readonly #steps: StartSteps;
  readonly #basePath: string;
  #phase: keyof typeof CLOSE_PATIENCE = 'starting';

  /** @throws PortError if the port is in use, or not allowed. */
  static async open(options: HttpPortOptions): Promise<HttpPort> {
    const server = createTcpServer({ ...DEFAULT_HTTP_LIMITS, ...options.limits }, options.logger);
    server.listen(options.port, options.host);
    await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
      throw new PortError(portRefusal(error, options), { cause: error });
    });
    return new HttpPort(server, options);
  }

  private constructor(
    server: Server,
    { host, clock, logger, basePath = '', report = logged(logger) }: HttpPortOptions,
  ) {
    this.server = server;
    this.#basePath = basePath;
    this.#clock = clock;
    this.#steps = new StartSteps(clock, report);
    const { port } = server.address() as AddressInfo;
    this.url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
    this.#starting = (request, response) => this.#answer(request, response);
    server.on('request', this.#starting);
  }

  /** Names the running step of the start, such as `opening the database`. */
  starting(step: string): void {
    this.#steps.begin(step);
  }

  /** Passes all further requests to `handler`. Earlier requests are already answered. */
  serve(handler: RequestHandler): void {
    this.#phase = 'serving';
    this.#steps.end();
    this.server.off('request', this.#starting);
    this.server.on('request', handler);
  }

  /**
   * Accepts no new connections, and waits for running requests for a limited time. Node treats a connection that has
   * sent nothing as busy, and a closed server no longer enforces time limits.
   */
  async close(): Promise<void> {
    this.#steps.abandon();
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeIdleConnections();
    const cancel = this.#clock.after(CLOSE_PATIENCE[this.#phase], () => this.server.closeAllConnections());
    await closed;
    cancel();
  }

  #answer({ url = '' }: IncomingMessage, response: ServerResponse): void {
    const [path] = withoutBasePath(url, this.#basePath).split('?');
    if (path === operations.getHealth.path)
      return send(response, 200, 'application/json; charset=utf-8', { status: 'alive' });
    const { step, seconds } = this.#steps.current;
    const starting = problemOf('starting', `The service is starting: ${step}, for ${seconds} s.`);
    const problem = problemBelow(this.#basePath, starting);
    const start = { start: { ok: false, detail: { step, seconds } } };
    response.setHeader('retry-after', RETRY_AFTER);
    send(
      response,
      problem.status,
      PROBLEM_TYPE,
      path === operations.getReadiness.path ? { ...problem, components: start } : problem,
    );
  }
}

function send(response: ServerResponse, status: number, type: string, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) }).end(text);
}

/** A server with the time limits and the bounds of every HTTP process. */
export function createTcpServer({ connections, keepAliveSeconds }: HttpLimits, logger: Logger): Server {
  const times = { requestTimeout: REQUEST_TIMEOUT, keepAliveTimeout: 1_000 * keepAliveSeconds };
  const server = createServer({ requireHostHeader: false, ...times });
  server.maxConnections = connections;
  judgeExpectations(server);
  logDrops(server, connections, logger);
  return server;
}

/** Logs dropped connections at most once a second. */
function logDrops(server: Server, connections: number, logger: Logger): void {
  let silentUntil = 0;
  server.on('drop', () => {
    if (performance.now() < silentUntil) return;
    silentUntil = performance.now() + 1_000;
    logger.warn({ connections }, 'refused a new connection: LAUREL_MAX_CONNECTIONS are already open');
  });
}

const logged =
  (logger: Logger): StepReport =>
  (step, seconds) =>
    logger.info({ step, seconds }, seconds === null ? 'a step of the start begins' : 'a step of the start is done');
