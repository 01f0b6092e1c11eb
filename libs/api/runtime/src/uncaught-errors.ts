import { createLogger } from './logging.ts';

/**
 * Logs unhandled exceptions and rejections as JSON, whatever LAUREL_LOG_LEVEL is, and then ends the process with 1.
 * There is no graceful stop: after such an error no state can be trusted, and everything answered is stored.
 */
export function endOnUncaughtErrors(): void {
  const logger = createLogger('fatal');
  // Node raises an unhandled rejection as an exception with this origin.
  process.on('uncaughtException', (err: unknown, origin) => {
    logger.fatal({ err, origin }, 'uncaught error; the process ends');
    process.exit(1);
  });
}
