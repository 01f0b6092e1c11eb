export { ApiKeyEntity } from './api-key.entity.ts';
export { parseDatabaseUrl, type ConnectionOptions } from './connection.ts';
export { assertCollated, clientConfig, dataSourceOf, migrate, sqlReader } from './database.ts';
export { databaseMigrations } from './migrations.ts';
