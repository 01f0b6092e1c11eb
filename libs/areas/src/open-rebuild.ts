import { compileHistory } from '@laurel/configuration';
import type { AreaName } from '@laurel/contracts';
import type { EventLog, LogWriter } from '@laurel/event-store';
import { LeaderboardsArea, leaderboardTables } from '@laurel/leaderboards';
import {
  Chain,
  DEFAULT_REBUILD_OPTIONS,
  PostgresRebuildStore,
  Rebuild,
  type RebuildOptions,
} from '@laurel/projections';
import type pg from 'pg';
import { READ_MODEL_MIGRATIONS } from './all-migrations.ts';
import { USER_AREAS } from './user-areas.ts';

export interface RebuildSource {
  readonly config: pg.ClientConfig;
  readonly writer: LogWriter;
  readonly log: Pick<EventLog, 'read'>;
}

/** The log, to be applied again through a whole chain of its own. */
export async function openRebuild(
  { config, writer, log }: RebuildSource,
  areas: readonly AreaName[],
  options: RebuildOptions = DEFAULT_REBUILD_OPTIONS,
): Promise<Rebuild> {
  const tables = new Map<AreaName, readonly (typeof leaderboardTables)[number][]>([
    ...USER_AREAS.map((area) => [area.name, area.tables] as const),
    ['leaderboards', leaderboardTables],
  ]);
  const { epoch } = writer;
  const { heldBytes, standingsBytes } = options;
  const store = await PostgresRebuildStore.open({
    ...{ config, epoch, tables, heldBytes },
    migrations: READ_MODEL_MIGRATIONS,
  });
  // What fails is told by the rebuild itself; nothing live has failed.
  const chain = new Chain(
    USER_AREAS,
    new LeaderboardsArea(store.readerOf('leaderboards'), { capacityBytes: standingsBytes, beginsEmpty: true }),
    () => undefined,
  );
  return new Rebuild({ log, store, chain, compileHistory }, areas, options);
}
