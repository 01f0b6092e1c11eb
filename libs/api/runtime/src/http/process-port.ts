import type { Clock } from '@laurel/ports';
import { createClock } from '../clock.ts';
import type { Environment } from '../environment/environment.ts';
import type { Health } from '../health.ts';
import type { Logger } from '../logging.ts';
import type { Metrics } from '../metrics.ts';
import type { Shutdown } from '../shutdown.ts';
import { createHttpApplication, httpLimits, type HttpApplicationOptions } from './application.ts';
import { basePathOf } from './base-path.ts';
import { HttpPort } from './http-port.ts';
import type { StepReport } from './start-steps.ts';

/** Opens the port of a process before anything else, until the process stops. */
export async function openProcessPort(
  environment: Environment,
  logger: Logger,
  shutdown: Shutdown,
  report?: StepReport,
): Promise<HttpPort> {
  const port = await HttpPort.open({
    port: environment.port,
    host: environment.host,
    clock: createClock({ type: 'system' }),
    logger,
    limits: httpLimits(environment),
    basePath: basePathOf(environment.publicUrl),
    ...(report && { report }),
  });
  shutdown.register('port', () => port.close());
  return port;
}

interface ServingProcess {
  readonly environment: Environment;
  readonly health: Health;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly shutdown: Shutdown;
  readonly port: HttpPort | null;
}

/** Serves the API of a process until the process stops. @returns the address, `http://host:port` */
export async function serveProcess(
  { environment, health, metrics, logger, clock, shutdown, port }: ServingProcess,
  served: Pick<HttpApplicationOptions, 'modules' | 'keys' | 'sessions' | 'install' | 'basePath'>,
): Promise<string> {
  const limits = httpLimits(environment);
  const http = await createHttpApplication({ ...served, health, metrics, logger, clock, limits, port });
  shutdown.register('http', () => http.close());
  return http.listen(environment.port, environment.host);
}
