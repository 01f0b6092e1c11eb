import { leaderboardTables, RANK_HISTORY } from '@laurel/leaderboards';
import type { DigestedArea, UserAreaName } from '@laurel/engine';
import { USER_AREAS } from './user-areas.ts';

const BOARD_TABLES = leaderboardTables.filter(({ isTransient }) => !isTransient);

/**
 * The lines of a digest. The rank history has its own line because it depends on the order in which the owner of the boards applied the
 * events, which may differ between two topologies.
 */
export const DIGESTED_AREAS: readonly DigestedArea[] = [
  ...USER_AREAS.map(({ name, tables, digest }) => ({
    name,
    column: name as UserAreaName,
    tables,
    ...(digest !== undefined && { value: digest }),
  })),
  { name: 'leaderboards', column: null, tables: BOARD_TABLES.filter(({ name }) => name !== RANK_HISTORY) },
  { name: 'rank history', column: null, tables: BOARD_TABLES.filter(({ name }) => name === RANK_HISTORY) },
];
