import type { WebFiles } from './pages/web-files.ts';
import type { ConsoleSessions } from './sessions/console-sessions.ts';
import type { FailedAttempts } from './sessions/failed-attempts.ts';

/** What the door of the console stands in front of. */
export interface ConsolePorts {
  readonly sessions: ConsoleSessions;
  readonly attempts: FailedAttempts;
  /** null: the console was not built here. */
  readonly files: WebFiles | null;
  /** Where browsers reach this service, without a slash at its end; null: on this machine only. */
  readonly publicUrl: string | null;
}

/** Token under which a process provides its {@link ConsolePorts}. */
export const CONSOLE_PORTS = Symbol('ConsolePorts');
