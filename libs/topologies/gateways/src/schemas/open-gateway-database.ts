import { databaseMigrations } from '@laurel/database';
import type { Migration } from '@laurel/kernel';
import {
  BoundedSchemaReaders,
  openSchema,
  type OpenSchema,
  type ProcessFrame,
  type SchemaName,
  SchemaReaders,
  SCHEMAS,
} from '@laurel/processes';
import type { DataSource } from 'typeorm';

/** The connections of a gateway, or of the outgoing service, to the database. */
export interface GatewayDatabase {
  /** The process's own schema. */
  readonly schema: OpenSchema;
  /** The schema of API keys. */
  readonly keys: DataSource;
  readonly readers: SchemaReaders;
  /** Reads for people, so that applications never wait for them. */
  readonly bounded: BoundedSchemaReaders;
}

/** Migrates the schema and opens it for as long as the process runs. @throws StartError, or the driver's error */
export async function openGatewayDatabase(
  { environment: { database }, shutdown }: ProcessFrame,
  name: SchemaName,
  migrations: readonly Migration[],
): Promise<GatewayDatabase> {
  const schema = await openSchema(database, name, migrations);
  shutdown.register('database', () => schema.close());
  const keys = await openSchema(database, SCHEMAS.keys, databaseMigrations);
  shutdown.register('keys', () => keys.close());
  const readers = new SchemaReaders(database);
  shutdown.register('reads', () => readers.close());
  const bounded = new BoundedSchemaReaders(database);
  shutdown.register('bounded reads', () => bounded.close());
  return { schema, keys: keys.dataSource, readers, bounded };
}
