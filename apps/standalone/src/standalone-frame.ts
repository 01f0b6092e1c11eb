import {
  Health,
  openProcessPort,
  type HttpPort,
  createClock,
  type Environment,
  type Logger,
  type Shutdown,
  type StepReport,
} from '@laurel/runtime';
import type { Clock } from '@laurel/ports';
import { ServiceMetrics } from './service-metrics.ts';

/** The process before its service is open. Its port answers that the service is starting. */
export interface StandaloneFrame {
  readonly environment: Environment;
  readonly logger: Logger;
  readonly shutdown: Shutdown;
  readonly clock: Clock;
  readonly health: Health;
  readonly metrics: ServiceMetrics;
  readonly port: HttpPort;
}

export async function openFrame(
  environment: Environment,
  logger: Logger,
  shutdown: Shutdown,
): Promise<StandaloneFrame> {
  const clock = createClock(environment.clock);
  const port = await openProcessPort(environment, logger, shutdown, reportTo(logger));
  return {
    environment,
    logger,
    shutdown,
    clock,
    health: new Health(clock),
    metrics: new ServiceMetrics(environment.metrics ?? 'local'),
    port,
  };
}

/** Prints the steps of a start for people, in addition to the log, because a first start takes time. */
function reportTo(logger: Logger): StepReport {
  const report: StepReport = (step, seconds) => {
    if (!logger.isLevelEnabled('info')) return;
    const name = step.charAt(0).toUpperCase() + step.slice(1);
    console.error(seconds === null ? `${name} ...` : `${name}: ${seconds.toFixed(1)} s`);
  };
  report('loading the service', performance.now() / 1_000);
  return report;
}
