import { createHttpApplication, httpLimits } from '@laurel/runtime';
import type { ProcessFrame } from './run-process.ts';

/** Serves `/healthz`, `/readyz` and `/metrics` of a process without an API. @returns its address */
export async function serveOperations({
  environment,
  health,
  metrics,
  logger,
  clock,
  shutdown,
  port,
}: ProcessFrame): Promise<string> {
  const nobody = { find: () => 'unknown' as const };
  const limits = httpLimits(environment);
  const http = await createHttpApplication({ modules: [], keys: nobody, health, metrics, logger, clock, limits, port });
  shutdown.register('http', () => http.close());
  return http.listen(environment.port, environment.host);
}
