import type pg from 'pg';

/** How the database is reached: `new config.Client(config)` and a pool of such have sessions with the settings that Laurel relies on. */
export interface SessionConfig extends pg.ClientConfig {
  readonly Client: new (config?: pg.ClientConfig) => pg.Client;
  /** What a session is set to beside what all are. */
  readonly session: Readonly<Record<string, string>>;
}
