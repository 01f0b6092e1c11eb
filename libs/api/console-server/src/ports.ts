import type { LiveEntry } from '@laurel/ports';
import type { LiveEvent, MissingRoutes } from '@laurel/schemas';
import type { ApiKeys } from '@laurel/runtime';
import type { LiveFeed } from './live/live-feed.ts';
import type { WebFiles } from './pages/web-files.ts';
import type { ConsoleSessions } from './sessions/console-sessions.ts';
import type { FailedAttempts } from './sessions/failed-attempts.ts';

/** The ports of the console's routes. */
export interface ConsolePorts {
  readonly sessions: ConsoleSessions;
  readonly attempts: FailedAttempts;
  /** null if the console was not built here. */
  readonly files: WebFiles | null;
  /**
   * The address of this service for browsers, without a trailing slash; null if only browsers on this machine may sign
   * in.
   */
  readonly publicUrl: string | null;
  readonly live: LivePorts;
  /** Routes that no process of this installation serves. */
  readonly missing: readonly MissingRoutes[];
}

/** The live feed, and the keys whose holders may watch it. */
export interface LivePorts {
  readonly feed: LiveFeed;
  readonly keys: Pick<ApiKeys, 'find'>;
  readonly answer: (entry: LiveEntry) => LiveEvent;
}

/** Token under which a process provides its {@link ConsolePorts}. */
export const CONSOLE_PORTS = Symbol('ConsolePorts');
