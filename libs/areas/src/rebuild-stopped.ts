import type { AreaName } from '@laurel/contracts';
import { clientConfig, dataSourceOf, migrate, sqlReader, type ConnectionOptions } from '@laurel/database';
import { LogWriter, PostgresLogReader } from '@laurel/event-store';
import { PostgresDirectory } from '@laurel/directory';
import { PostgresBatchStore, areasToRebuild, type RebuildOptions } from '@laurel/projections';
import { MIGRATIONS } from './all-migrations.ts';
import { openRebuild } from './open-rebuild.ts';

/**
 * Rebuilds while the service is stopped: brings the schema up to date, applies the log again and lets the areas (none
 * named: all) take over. Also for read models with which this release would refuse to start.
 * @throws LogInUseError while a service writes to the database; NotRebuildableError, RebuildFailedError,
 * TablesInUseError: the read models are as they were.
 */
export async function rebuildStopped(
  connection: ConnectionOptions,
  asked: readonly AreaName[],
  onProgress: (applied: number, head: number) => void = () => undefined,
  options?: RebuildOptions,
): Promise<{ readonly areas: readonly AreaName[]; readonly applied: number }> {
  const dataSource = await dataSourceOf(connection, MIGRATIONS).initialize();
  try {
    const config = clientConfig(connection);
    const writer = await LogWriter.open(config, () => migrate(dataSource, connection));
    try {
      const sql = sqlReader(dataSource);
      const directory = new PostgresDirectory(sql);
      const { head, checkpoints } = await new PostgresBatchStore(writer, sql, directory, []).readCheckpoints();
      const stopped = [...checkpoints].flatMap(([area, { failure }]) => (failure === null ? [] : [area]));
      const areas = areasToRebuild(asked, new Set(stopped));
      const rebuild = await openRebuild({ config, writer, log: new PostgresLogReader(sql, directory) }, areas, options);
      try {
        await rebuild.catchUp((applied) => onProgress(applied, head));
        await rebuild.prepareTakeOver();
        await rebuild.takeOver();
        return { areas, applied: rebuild.applied };
      } finally {
        await rebuild.close();
      }
    } finally {
      await writer.close();
    }
  } finally {
    await dataSource.destroy();
  }
}
