export { INGESTION_MIGRATIONS } from './ingestion-migrations.ts';
export {
  addressOf,
  type CallHandler,
  type CallHandlers,
  InternalClients,
  InternalServer,
} from './internal-calls/index.ts';
export {
  keepClaims,
  openCalls,
  openClients,
  type OwnerAnswer,
  OwnerCalls,
  OwnerDirectory,
  OwnerUnavailableError,
  PartitionOwners,
  partitionOwnersMigrations,
  REFRESH_CONFIGURATIONS,
  REFRESH_ERASURES,
} from './owners/index.ts';
export { advisoryLockOf } from './process/advisory-lock.ts';
export { inTime } from './process/in-time.ts';
export { countMembers } from './process/group-members.ts';
export { markMembership } from './process/membership-mark.ts';
export { type Job, runCommand, type Serve } from './process/run-command.ts';
export { endWith, type ProcessFrame, runProcess } from './process/run-process.ts';
export { serveCalls } from './process/serve-calls.ts';
export { serveOperations } from './process/serve-operations.ts';
export { topicsFor } from './process/topics.ts';
export { watchMembership } from './process/watch-membership.ts';
export { followErasures } from './schemas/follow-erasures.ts';
export { FollowedErasures } from './schemas/followed-erasures.ts';
export { followConfigurations } from './schemas/follow-configurations.ts';
export { GatewayConfigurations } from './schemas/gateway-configurations.ts';
export { followIngestionReads, openIngestionReads } from './schemas/open-ingestion-reads.ts';
export { assertVersions, openPlace, type OpenPlace, type StepSchema, type StoredStep } from './schemas/open-place.ts';
export { type OpenSchema, openSchema } from './schemas/open-schema.ts';
export { readIfPresent } from './schemas/read-if-there.ts';
export { BoundedSchemaReaders, SchemaReaders } from './schemas/read-schemas.ts';
export { assertComplete, logTables, onceComplete, readLog } from './schemas/readable-log.ts';
export { assertRecorded, recordedSteps, StepsDifferError, moveInstructions } from './schemas/recorded-steps.ts';
export { EVERY_SCHEMA, type SchemaName, schemaOf, SCHEMAS } from './schemas/schemas.ts';
