import type { LoggerService } from '@nestjs/common';
import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';
import type { LogLevel } from './environment/variable-parsers.ts';

export type { Logger } from 'pino';

/** Fields of log lines that may contain a key. */
const SECRETS = ['', 'headers.', 'req.headers.', 'request.headers.', '*.headers.'].flatMap((place) => [
  `${place}["x-api-key"]`,
  `${place}["X-API-KEY"]`,
  `${place}authorization`,
]);

/** Writes one JSON object per line to `destination`, by default standard output. API keys are redacted. */
export function createLogger(level: LogLevel, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    serializers: { err: serializedError },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: [...SECRETS, 'apiKey', '*.apiKey'].map((path) => path.replace('.[', '[')), censor: '[redacted]' },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** An error with its type. The number that the bundler appends to a class whose name is taken is left out. */
function serializedError(error: Error) {
  const serialized = pino.stdSerializers.err(error);
  return error instanceof Error ? { ...serialized, type: serialized.type.replace(/\d+$/, '') } : serialized;
}

/** Passes on Nest's warnings and errors; its messages about the start become debug messages. */
export function nestLogger(logger: Logger): LoggerService {
  const write =
    (level: 'debug' | 'warn' | 'error') =>
    (message: unknown, ...rest: unknown[]) => {
      const context = rest.at(-1);
      logger[level]({ context: typeof context === 'string' ? context : 'Nest' }, textOf(message));
    };
  const [debug, warn, error] = [write('debug'), write('warn'), write('error')];
  return { log: debug, debug, verbose: debug, warn, error, fatal: error };
}

function textOf(message: unknown): string {
  return message instanceof Error ? (message.stack ?? message.message) : String(message);
}
