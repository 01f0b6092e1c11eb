import type { AreaName, SqlReader } from '@laurel/kernel';
import type { DataKeys } from '@laurel/ports';
import { clientConfig, dataSourceOf, migrate, sqlReader, type ConnectionOptions } from '@laurel/database';
import { PostgresDirectory } from '@laurel/directory';
import { LogWriter, PostgresLogReader, refuseOldLog, type LogSessionConfig } from '@laurel/event-store';
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
  /** Stored rows that differ from the rebuilt ones; null if the rebuild took over. */
  readonly differences: readonly RebuildDifference[] | null;
}

export interface RebuildStoppedOptions {
  readonly onProgress?: (applied: number, head: number) => void;
  readonly bounds?: RebuildOptions;
  /** Whether the rebuilt tables take over, which is the default, or are compared with the stored ones. */
  readonly purpose?: 'take over' | 'compare';
}

/**
 * Rebuilds while the service is stopped: brings the schema up to date, applies the log again and lets the named areas take over. Also
 * works for read models with which this release would refuse to start.
 * @param asked empty for all areas
 * @throws LogInUseError while a service writes to the database; OldLogError; NotRebuildableError, RebuildFailedError and
 * TablesInUseError, after which the read models are unchanged
 */
export async function rebuildStopped(
  connection: ConnectionOptions,
  asked: readonly AreaName[],
  options: RebuildStoppedOptions = {},
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
      return await rebuildAreas({ config, writer, sql, directory: new PostgresDirectory(sql) }, asked, options);
    } finally {
      await writer.close();
    }
  } finally {
    await dataSource.destroy();
  }
}

interface StoppedDatabase {
  readonly config: LogSessionConfig;
  readonly writer: LogWriter;
  readonly sql: SqlReader;
  readonly directory: DataKeys;
}

/** Does the same for a writer that already has exclusive use of the log. */
export async function rebuildAreas(
  { config, writer, sql, directory }: StoppedDatabase,
  asked: readonly AreaName[],
  { onProgress = () => undefined, bounds, purpose = 'take over' }: RebuildStoppedOptions,
): Promise<RebuiltAreas> {
  const { head, checkpoints } = await new PostgresBatchStore(writer, sql, directory, []).readCheckpoints();
  const stopped = [...checkpoints].flatMap(([area, { failure }]) => (failure === null ? [] : [area]));
  const areas = areasToRebuild(asked, new Set(stopped));
  if (purpose === 'compare' && stopped[0] !== undefined)
    throw new NotRebuildableError(`${stopped[0]} is halted: rebuild it first`);
  const log = new PostgresLogReader(sql, directory);
  const rebuild = await openRebuild({ config, writer, log, longestTakeOverMs: LONGEST_TAKE_OVER_MS }, areas, bounds);
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

/** Timeout of the take-over. It is long, because the service is stopped and nobody waits. */
const LONGEST_TAKE_OVER_MS = 24 * 60 * 60_000;

async function compared(rebuild: Rebuild): Promise<readonly RebuildDifference[]> {
  const comparison = await rebuild.openComparison();
  return comparison.differences().finally(() => comparison.close());
}
