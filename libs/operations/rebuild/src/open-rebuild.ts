import { compileHistory } from '@laurel/configuration';
import { AREAS, type AnyUserArea, type AreaName, type Rows } from '@laurel/kernel';
import type { LogWriter, ReplayedLog, LogSessionConfig } from '@laurel/event-store';
import { LeaderboardsArea, leaderboardTables } from '@laurel/leaderboards';
import { Chain, DEFAULT_REBUILD_OPTIONS, PostgresRebuildStore, Rebuild, type RebuildOptions } from '@laurel/engine';
import { USER_SEARCH_TABLES } from '@laurel/users';
import { READ_MODEL_MIGRATIONS, USER_AREAS } from '@laurel/all-areas';
import { NO_BOARDS } from './no-boards.ts';

export interface RebuildSource {
  readonly config: LogSessionConfig;
  readonly writer: LogWriter;
  readonly log: ReplayedLog;
  /** See `PostgresRebuildOptions`. */
  readonly longestTakeOverMs?: number;
}

const STATES = new Map(USER_AREAS.map(({ name, digest }) => [name, digest ?? name]));

/** Opens a rebuild, which applies the log through a separate chain up to the last of these areas. Only these store rows. */
export async function openRebuild(
  { config, writer, log, longestTakeOverMs }: RebuildSource,
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
    config,
    epoch,
    tables,
    states: STATES,
    heldBytes,
    ...(longestTakeOverMs !== undefined && { longestTakeOverMs }),
    migrations: READ_MODEL_MIGRATIONS,
    derived: USER_SEARCH_TABLES,
  });
  const boards = areas.includes('leaderboards')
    ? new LeaderboardsArea(store.readerOf('leaderboards'), {
        capacityBytes: standingsBytes,
        beginsEmpty: true,
        storeStandings: (rows) => store.put(rows),
      })
    : NO_BOARDS;
  // The rebuild reports its failures itself.
  const chain = new Chain(storingAreas(areas), boards, () => undefined);
  return new Rebuild({ log, store, chain, compileHistory }, areas, options);
}

/** The areas up to the last rebuilt one; areas that are not rebuilt store no rows. */
function storingAreas(rebuilt: readonly AreaName[]): readonly AnyUserArea[] {
  const last = AREAS.findLastIndex((name) => rebuilt.includes(name));
  return USER_AREAS.slice(0, last + 1).map((area) => (rebuilt.includes(area.name) ? area : withoutRows(area)));
}

const withoutRows = (area: AnyUserArea): AnyUserArea => ({
  ...area,
  rows: noRows,
  correct(correction) {
    area.correct(correction);
    return { added: noRows(), removed: noRows() };
  },
});

const noRows = (): Rows => new Map();
