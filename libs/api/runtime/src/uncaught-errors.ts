import { createLogger } from './logging.ts';

/**
 * From now on an exception or a rejected promise that nobody handles is logged as JSON, whatever LAUREL_LOG_LEVEL is, and ends the
 * process with 1. Nothing is stopped gracefully: after such an error no state can be trusted, and what was answered is stored.
 */
export function endOnUncaughtErrors(): void {
  const logger = createLogger('fatal');
  // Node raises an unhandled rejection as an exception with this origin.
  process.on('uncaughtException', (err: unknown, origin) => {
    logger.fatal({ err, origin }, 'an error that nobody handled: the process ends');
    process.exit(1);
  });
}
