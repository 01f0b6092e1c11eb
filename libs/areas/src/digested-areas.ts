import { leaderboardTables, RANK_HISTORY, RUN_TOPS } from '@laurel/leaderboards';
import type { DigestedArea, UserAreaName } from '@laurel/engine';
import { USER_AREAS } from './user-areas.ts';

const HISTORY = [RANK_HISTORY, RUN_TOPS];

/**
 * The lines of a digest. The ranks that were answered have one of their own: they follow the order in which the
 * boards' owner applied the events, which may differ between two topologies.
 */
export const DIGESTED_AREAS: readonly DigestedArea[] = [
  ...USER_AREAS.map(({ name, tables, digest }) => ({
    name,
    column: name as UserAreaName,
    tables,
    ...(digest !== undefined && { value: digest }),
  })),
  {
    name: 'leaderboards',
    column: null,
    tables: leaderboardTables.filter(({ name }) => !HISTORY.includes(name)),
  },
  { name: 'rank history', column: null, tables: leaderboardTables.filter(({ name }) => HISTORY.includes(name)) },
];
