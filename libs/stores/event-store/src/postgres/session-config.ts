import type pg from 'pg';

/** The configuration of connections with the settings that Laurel relies on, for `new config.Client(config)` or a pool. */
export interface LogSessionConfig extends pg.ClientConfig {
  readonly Client: new (config?: pg.ClientConfig) => pg.Client;
  /** Additional settings of its sessions. */
  readonly session: Readonly<Record<string, string>>;
}
