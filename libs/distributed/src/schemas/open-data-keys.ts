import type { DataKeys } from '@laurel/contracts';
import { PostgresDirectory } from '@laurel/directory';
import type { ProcessFrame } from '../process/run-process.ts';
import { SchemaReaders } from './read-schemas.ts';
import { SCHEMAS } from './schemas.ts';

/** The data keys of users, from the directory that the ingestion gateways keep. Connects when it is first asked. */
export function openDataKeys({ environment, shutdown }: ProcessFrame): DataKeys {
  const readers = new SchemaReaders(environment.database);
  shutdown.register('data keys', () => readers.close());
  return new PostgresDirectory(readers.reader(SCHEMAS.ingestion));
}
