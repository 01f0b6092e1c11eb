import { ConsoleLogger, Logger, type LoggerService } from '@nestjs/common';
import type { StreamLog } from './kafka-client.ts';

/** Nest has one logger per process. Its default prints coloured lines and is replaced; a logger of the application stays. */
class NestLog extends Logger {
  static get isNestsOwn(): boolean {
    return Logger.staticInstanceRef instanceof ConsoleLogger;
  }
}

/** Nest's option `logger`; empty to keep the current logger. */
export function nestLogger(log: StreamLog | undefined): { readonly logger?: LoggerService } {
  if (!NestLog.isNestsOwn) return {};
  const write =
    (level: 'warn' | 'debug') =>
    (message: unknown, ...context: readonly unknown[]): void =>
      log?.(level, String(message), { context });
  const [debug, warn] = [write('debug'), write('warn')];
  return { logger: { log: debug, debug, verbose: debug, warn, error: warn, fatal: warn } };
}
