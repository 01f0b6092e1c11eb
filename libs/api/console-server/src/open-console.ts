import type { SqlReader } from '@laurel/kernel';
import type { Clock, Directory, LiveEntry, LiveReads } from '@laurel/ports';
import type { LiveEvent, MissingRoutes } from '@laurel/schemas';
import { basePathOf, type ApiKeys } from '@laurel/runtime';
import type { DataSource } from 'typeorm';
import { LiveFeed } from './live/live-feed.ts';
import { readWebFiles } from './pages/web-files.ts';
import type { ConsolePorts } from './ports.ts';
import { ConsoleSessions } from './sessions/console-sessions.ts';
import { FailedAttempts } from './sessions/failed-attempts.ts';

export interface ConsoleDependencies {
  /** The database with the tables of `@laurel/database`. */
  readonly dataSource: DataSource;
  /** Looks up the session of each request in the same tables. Default: over the pool of the data source. */
  readonly sql?: SqlReader;
  readonly keys: ApiKeys;
  readonly clock: Clock;
  /** The address of this service for browsers; null if only browsers on this machine may sign in. */
  readonly publicUrl: string | null;
  readonly live: LiveDependencies;
  /** Routes that pages need and no process of this installation serves. Default: none. */
  readonly missing?: readonly MissingRoutes[];
}

export interface LiveDependencies {
  readonly reads: LiveReads;
  readonly directory: Pick<Directory, 'find'>;
  readonly answer: (entry: LiveEntry) => LiveEvent;
  /** Called for each read of the feed that failed. */
  readonly onFailure: (error: unknown) => void;
}

export const openConsole = ({
  dataSource,
  sql,
  keys,
  clock,
  publicUrl,
  live,
  missing = [],
}: ConsoleDependencies): ConsolePorts => ({
  sessions: new ConsoleSessions({ dataSource, ...(sql && { sql }), keys, clock }),
  attempts: new FailedAttempts(clock),
  files: readWebFiles(basePathOf(publicUrl)),
  missing,
  publicUrl,
  live: {
    feed: new LiveFeed({ reads: live.reads, directory: live.directory, clock, onFailure: live.onFailure }),
    keys,
    answer: live.answer,
  },
});
