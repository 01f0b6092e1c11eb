import { clientConfig, dataSourceOf, migrate, sqlReader, type ConnectionOptions } from '@laurel/database';
import { PostgresDirectory } from '@laurel/directory';
import { LogWriter, dropOldLog, holdsOldLog, moveOldLog } from '@laurel/event-store';
import { MIGRATIONS } from '@laurel/all-areas';
import { rebuildAreas } from './rebuild-stopped.ts';

export interface UpgradeProgress {
  /** The log is moved up to `position`. */
  readonly onMoved: (position: number, last: number) => void;
  /** The read models are rebuilt up to `position`. */
  readonly onApplied: (position: number, head: number) => void;
}

/**
 * Upgrades the data of release 0.1 while the service is stopped: moves the log, rebuilds the read models and drops the old log. After an
 * interruption the next call resumes.
 * @returns the position up to which the log was applied; null if there was nothing to upgrade
 * @throws LogInUseError while a service writes to the database; RebuildFailedError
 */
export async function upgradeStopped(
  connection: ConnectionOptions,
  { onMoved, onApplied }: UpgradeProgress,
): Promise<number | null> {
  const dataSource = await dataSourceOf(connection, MIGRATIONS).initialize();
  try {
    const sql = sqlReader(dataSource);
    if (!(await holdsOldLog(sql))) return null;
    const config = clientConfig(connection);
    const writer = await LogWriter.open(config, () => migrate(dataSource, connection));
    try {
      const directory = new PostgresDirectory(sql);
      await moveOldLog(sql, directory, onMoved);
      const { applied } = await rebuildAreas({ config, writer, sql, directory }, [], { onProgress: onApplied });
      await dropOldLog(sql);
      return applied;
    } finally {
      await writer.close();
    }
  } finally {
    await dataSource.destroy();
  }
}
