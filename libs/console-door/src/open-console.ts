import type { Clock } from '@laurel/contracts';
import type { ApiKeys } from '@laurel/runtime';
import type { DataSource } from 'typeorm';
import { readWebFiles } from './pages/web-files.ts';
import type { ConsolePorts } from './ports.ts';
import { ConsoleSessions } from './sessions/console-sessions.ts';
import { FailedAttempts } from './sessions/failed-attempts.ts';

export interface ConsoleParts {
  /** With the tables of `@laurel/database`. */
  readonly dataSource: DataSource;
  readonly keys: ApiKeys;
  readonly clock: Clock;
  /** Where browsers reach this service; null: on this machine only. */
  readonly publicUrl: string | null;
}

export const openConsole = ({ dataSource, keys, clock, publicUrl }: ConsoleParts): ConsolePorts => ({
  sessions: new ConsoleSessions({ dataSource, keys, clock }),
  attempts: new FailedAttempts(clock),
  files: readWebFiles(),
  publicUrl: publicUrl === null ? null : publicUrl.replace(/\/+$/, ''),
});
