import { dueUsersIn, type ReadDueUsers } from '@laurel/engine';
import type { SqlReader } from '@laurel/kernel';
import { USER_AREAS } from '@laurel/all-areas';
import { USER_SERVICES } from '@laurel/ports';

const DATED_AREAS = USER_AREAS.filter(({ dueAt }) => dueAt !== undefined).map(({ name }) => name);

const DATED_TABLES = USER_SERVICES.filter(({ areas }) => DATED_AREAS.some((area) => areas.includes(area))).map(
  ({ schema }) => `${schema}.user_states`,
);

/** Finds the users for whom something is due; see `DueSweeperDependencies.dueUsers`. */
export const dueUsers = (sql: SqlReader): ReadDueUsers => dueUsersIn(sql, DATED_TABLES);
