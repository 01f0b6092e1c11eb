import { LiveLog } from '@laurel/stored-effects';
import type { Directory, LiveReads } from '@laurel/ports';
import type { LogTables, PostgresLogReader } from '@laurel/event-store';
import { type GatewayConfigurations, schemaOf, SCHEMAS, type SchemaReaders } from '@laurel/processes';
import { PostgresAppliedPositions } from '../answers/index.ts';
import { AppliedLog } from './applied-log.ts';

export interface LiveReadsDependencies {
  readonly readers: Pick<SchemaReaders, 'reader'>;
  readonly log: PostgresLogReader;
  /** The tables that `log` reads. */
  readonly tables: LogTables;
  readonly directory: Pick<Directory, 'idsOf'>;
  readonly configurations: Pick<GatewayConfigurations, 'historyOf' | 'refresh'>;
  readonly partitions: number;
}

/** The log and the results of the services, for watchers. */
export function openLiveReads(dependencies: LiveReadsDependencies): LiveReads {
  const { readers, log, tables, directory, configurations, partitions } = dependencies;
  const sql = readers.reader(SCHEMAS.ingestion);
  const statements = {
    query: <R extends object>(_name: string, text: string, values: readonly unknown[]) => sql.query<R>(text, values),
  };
  const positions = new PostgresAppliedPositions(statements);
  const applied = new AppliedLog({ applied: positions, log, sql, tables, partitions });
  return new LiveLog({
    sqlOf: (area) => readers.reader(schemaOf(area)),
    log,
    directory,
    configurations: configurations.historyOf,
    applied: async () => {
      const position = await applied.position();
      // Another gateway may have published the configuration of a record up to there.
      await configurations.refresh();
      return position;
    },
  });
}
