export { keepClaims } from './keep-claims.ts';
export { partitionOwnersMigrations } from './migrations.ts';
export { openCalls, openClients, REFRESH_CONFIGURATIONS, REFRESH_ERASURES } from './open-calls.ts';
export { OwnerCalls, OwnerUnavailableError, type OwnerAnswer, type OwnerCallsDependencies } from './owner-calls.ts';
export { OwnerDirectory } from './owner-directory.ts';
export { PartitionOwners } from './partition-owners.ts';
