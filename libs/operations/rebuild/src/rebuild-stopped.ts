import type { AreaName, SqlReader } from '@laurel/kernel';
import type { DataKeys } from '@laurel/ports';
import { clientConfig, dataSourceOf, migrate, sqlReader, type ConnectionOptions } from '@laurel/database';
import { PostgresDirectory } from '@laurel/directory';
import { LogWriter, PostgresLogReader, refuseOldLog, type SessionConfig } from '@laurel/event-store';
import {
  areasToRebuild,
  NotRebuildableError,
  PostgresBatchStore,
  type Rebuild,
  type RebuildDifference,
  type RebuildOptions,
} from '@laurel/engine';
import { MIGRATIONS } from '@laurel/all-areas';
import { openRebuild } from './open-rebuild.ts';

export interface RebuiltAreas {
  readonly areas: readonly AreaName[];
  readonly applied: number;
  /** What is stored in another way than the log gives it; null: it was taken over, not compared. */
  readonly differences: readonly RebuildDifference[] | null;
}

/** Whether what comes out takes over, or is compared with what is stored. */
export type RebuildPurpose = 'take over' | 'compare';

type OnProgress = (applied: number, head: number) => void;

/**
 * Rebuilds while the service is stopped: brings the schema up to date, applies the log again and lets the areas (none
 * named: all) take over. Also for read models with which this release would refuse to start.
 * @throws LogInUseError while a service writes to the database; OldLogError; NotRebuildableError, RebuildFailedError,
 * TablesInUseError: the read models are as they were.
 */
export async function rebuildStopped(
  connection: ConnectionOptions,
  asked: readonly AreaName[],
  onProgress: OnProgress = () => undefined,
  options?: RebuildOptions,
  purpose: RebuildPurpose = 'take over',
): Promise<RebuiltAreas> {
  const dataSource = await dataSourceOf(connection, MIGRATIONS).initialize();
  try {
    const config = clientConfig(connection);
    const sql = sqlReader(dataSource);
    const writer = await LogWriter.open(config, async () => {
      await refuseOldLog(sql);
      await migrate(dataSource, connection);
    });
    try {
      return await rebuildAreas(
        { config, writer, sql, directory: new PostgresDirectory(sql) },
        asked,
        onProgress,
        options,
        purpose,
      );
    } finally {
      await writer.close();
    }
  } finally {
    await dataSource.destroy();
  }
}

interface StoppedDatabase {
  readonly config: SessionConfig;
  readonly writer: LogWriter;
  readonly sql: SqlReader;
  readonly directory: DataKeys;
}

/** {@link rebuildStopped} for a writer that has the log for itself. */
export async function rebuildAreas(
  { config, writer, sql, directory }: StoppedDatabase,
  asked: readonly AreaName[],
  onProgress: OnProgress,
  options?: RebuildOptions,
  purpose: RebuildPurpose = 'take over',
): Promise<RebuiltAreas> {
  const { head, checkpoints } = await new PostgresBatchStore(writer, sql, directory, []).readCheckpoints();
  const stopped = [...checkpoints].flatMap(([area, { failure }]) => (failure === null ? [] : [area]));
  const areas = areasToRebuild(asked, new Set(stopped));
  if (purpose === 'compare' && stopped[0] !== undefined)
    throw new NotRebuildableError(`${stopped[0]} is halted: rebuild it first`);
  const log = new PostgresLogReader(sql, directory);
  const rebuild = await openRebuild({ config, writer, log, longestTakeOverMs: LONGEST_TAKE_OVER_MS }, areas, options);
  try {
    await rebuild.catchUp((applied) => onProgress(applied, head));
    await rebuild.prepareTakeOver();
    if (purpose === 'compare') return { areas, applied: rebuild.applied, differences: await compared(rebuild) };
    await rebuild.takeOver();
    return { areas, applied: rebuild.applied, differences: null };
  } finally {
    await rebuild.close();
  }
}

/** The service is stopped: nobody waits for it. */
const LONGEST_TAKE_OVER_MS = 24 * 60 * 60_000;

async function compared(rebuild: Rebuild): Promise<readonly RebuildDifference[]> {
  const comparison = await rebuild.openComparison();
  return comparison.differences().finally(() => comparison.close());
}
