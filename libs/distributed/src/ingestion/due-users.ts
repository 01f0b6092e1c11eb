import { dueUsersIn, type ReadDueUsers } from '@laurel/projections';
import { SCHEMAS } from '../schemas/schemas.ts';

/** Those for whom a service has something to settle; see `DueSweeperParts.dueUsers`. */
export const dueUsers: ReadDueUsers = dueUsersIn(
  [SCHEMAS.streak, SCHEMAS.points].map((schema) => `${schema}.user_states`),
);
