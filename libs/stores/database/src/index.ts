export { ApiKeyEntity } from './api-key.entity.ts';
export { ConsoleLinkEntity, ConsoleSessionEntity } from './console-session.entity.ts';
export {
  configurationFilesMigrations,
  PostgresConfigurationFiles,
  type ConfigurationFiles,
} from './configuration-files.ts';
export { clientConfig, openSession, SessionClient, sqlOf, type SessionConfig } from './session-client.ts';
export { SESSION_SETTINGS } from './session-settings.ts';
export { assertSessionsAreKept } from './assert-sessions-are-kept.ts';
export { locate } from './locate.ts';
export { parseDatabaseUrl, StartError, type ConnectionOptions } from './connection.ts';
export { assertTextIsSafe, dataSourceOf, migrate, sqlReader, whileReachable } from './database.ts';
export { WebhookEndpointEntity } from './webhook-endpoint.entity.ts';
export { BoundedReads, type ReadBounds } from './bounded-reads.ts';
export { databaseMigrations, webhookMigrations } from './migrations.ts';
export { observeStorage } from './observe-storage.ts';
export { StorageUse } from './storage-use.ts';
export { tableExists } from './table-exists.ts';
export { poolUse } from './pool-use.ts';
