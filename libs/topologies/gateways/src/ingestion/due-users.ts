import { dueUsersIn, type ReadDueUsers } from '@laurel/engine';
import { USER_AREAS } from '@laurel/all-areas';
import { USER_SERVICES } from '@laurel/ports';

const DATED_AREAS = USER_AREAS.filter(({ dueAt }) => dueAt !== undefined).map(({ name }) => name);

/** The users for whom something is due; see `DueSweeperDependencies.dueUsers`. */
export const dueUsers: ReadDueUsers = dueUsersIn(
  USER_SERVICES.filter(({ areas }) => DATED_AREAS.some((area) => areas.includes(area))).map(
    ({ schema }) => `${schema}.user_states`,
  ),
);
