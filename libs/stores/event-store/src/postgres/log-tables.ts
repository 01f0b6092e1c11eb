/** The tables that hold the log. */
export interface LogTables {
  readonly events: string;
  /** Has one row, with the position of the newest record. */
  readonly head: string;
}

export const LOG: LogTables = { events: 'events', head: 'log_head' };
/** See `LogCopy`. */
export const COPIED_LOG: LogTables = { events: 'copied_events', head: 'copied_head' };
