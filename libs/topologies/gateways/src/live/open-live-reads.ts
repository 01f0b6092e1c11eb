import { LiveLog } from '@laurel/stored-effects';
import type { ConfigurationHistory, SqlReader } from '@laurel/kernel';
import type { Directory, LiveReads } from '@laurel/ports';
import type { LogTables, PostgresLogReader } from '@laurel/event-store';
import { type SchemaName, schemaOf, SCHEMAS } from '@laurel/processes';
import { PostgresAppliedPositions } from '../answers/index.ts';
import { AppliedLog } from './applied-log.ts';

export interface LiveReadsParts {
  /** Over small pools; the same reader for a schema whenever it is asked for. */
  readonly sqlOf: (schema: SchemaName) => SqlReader;
  readonly log: PostgresLogReader;
  /** Those that it reads. */
  readonly tables: LogTables;
  readonly directory: Pick<Directory, 'idsOf'>;
  readonly configurations: {
    /** Knows all that is published by now, once it resolves. */
    refresh(): Promise<void>;
    historyOf(account: string): ConfigurationHistory;
  };
  readonly partitions: number;
}

/** The log and what the services have stored of it, as watchers see them. */
export function openLiveReads(parts: LiveReadsParts): LiveReads {
  const { sqlOf, log, tables, directory, configurations, partitions } = parts;
  const sql = sqlOf(SCHEMAS.ingestion);
  const statements = {
    query: <R extends object>(_name: string, text: string, values: readonly unknown[]) => sql.query<R>(text, values),
  };
  const applied = new AppliedLog({
    applied: new PostgresAppliedPositions(statements),
    ...{ log, sql, tables, partitions },
  });
  return new LiveLog({
    sqlOf: (area) => sqlOf(schemaOf(area)),
    ...{ log, directory },
    configurations: (account) => configurations.historyOf(account),
    applied: async () => {
      const position = await applied.position();
      // Another gateway may have published what is in force for a record up to there.
      await configurations.refresh();
      return position;
    },
  });
}
