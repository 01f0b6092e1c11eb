import { clientConfig, dataSourceOf, migrate, sqlReader, type ConnectionOptions } from '@laurel/database';
import { PostgresDirectory } from '@laurel/directory';
import { LogWriter, dropOldLog, holdsOldLog, moveOldLog } from '@laurel/event-store';
import { MIGRATIONS } from '@laurel/all-areas';
import { rebuildAreas } from './rebuild-stopped.ts';

export interface UpgradeProgress {
  /** The log is moved up to this position of `last`. */
  readonly onMoved: (position: number, last: number) => void;
  /** The read models are made again up to this position of `head`. */
  readonly onApplied: (position: number, head: number) => void;
}

/**
 * Brings the data of release 0.1 into the form of this one while the service is stopped: moves the log, makes the read models again
 * from it, and drops the former log. If it is interrupted, the next call resumes it.
 * @returns the position up to which the log was applied; null: there was nothing to upgrade
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
      const { applied } = await rebuildAreas({ config, writer, sql, directory }, [], onApplied);
      await dropOldLog(sql);
      return applied;
    } finally {
      await writer.close();
    }
  } finally {
    await dataSource.destroy();
  }
}
