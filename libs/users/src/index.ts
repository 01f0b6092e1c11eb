export { usersArea } from './users-area.ts';
export { usersMigrations } from './migrations.ts';
export { UserQueries, type ZoneQuestion } from './user-queries.ts';
export { usersRules, type UsersPlan, type UsersState } from './rules/users.ts';
export { decodeUserEffects, encodeUserEffects } from './user-effects.ts';
