import { rateLimited } from '@laurel/runtime';
import { InternalServer, type CallHandlers } from '../internal-calls/index.ts';
import type { ProcessFrame } from './run-process.ts';

/** Limits log messages: many silent connections would fill the log. */
const LOG_EVERY_MS = 10_000;

interface Closed {
  readonly peer: string;
  readonly why: string;
}

/** Serves the calls of other processes. A call without the token is logged. */
export function serveCalls(
  { environment, clock, logger }: ProcessFrame,
  handlers: CallHandlers,
): Promise<InternalServer> {
  const closed = rateLimited<Closed>(clock, LOG_EVERY_MS, ({ peer, why }, leftOut) =>
    logger.warn({ peer, why, leftOut }, 'a connection to the internal port was closed'),
  );
  return InternalServer.listen({
    host: environment.host,
    port: environment.internalPort,
    token: environment.internalToken,
    clock,
    handlers,
    onRefused: (peer) => logger.warn({ peer }, 'a call without the internal token was refused'),
    onClosed: (peer, why) => closed({ peer, why }),
  });
}
