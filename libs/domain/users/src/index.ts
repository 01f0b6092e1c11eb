export { usersArea } from './users-area.ts';
export { profilesInMemory } from './profiles-in-memory.ts';
export { UserQueries } from './user-queries.ts';
export { UserSearchIndex, type UserSearchEvents } from './search/user-search-index.ts';
export {
  EXPECTED_USER_SEARCH_ENTRIES,
  IS_KEPT as IS_USER_SEARCH_KEPT,
  USER_SEARCH_TABLES,
} from './search/user-search-sql.ts';
export { usersRules, type UsersState } from './rules/users.ts';
export type { UsersPlan } from './rules/users-plan.ts';
