import { Publications } from '@laurel/engine';
import { compileHistory } from '@laurel/configuration';
import type { DataKeys } from '@laurel/contracts';
import { PostgresDirectory } from '@laurel/directory';
import type { ProcessFrame } from '../process/run-process.ts';
import { PublishedConfigurations } from './published-configurations.ts';
import { SchemaReaders } from './read-schemas.ts';
import { SCHEMAS } from './schemas.ts';

/** What a service reads of what the ingestion gateways keep. */
export interface IngestionReads {
  /** Of users, from the directory. */
  readonly dataKeys: DataKeys;
  readonly publications: Publications;
}

/** Connects when it is first asked. */
export function openIngestionReads({ environment, shutdown }: ProcessFrame): IngestionReads {
  const readers = new SchemaReaders(environment.database);
  shutdown.register('data keys and publications', () => readers.close());
  const sql = readers.reader(SCHEMAS.ingestion);
  const published = new PublishedConfigurations(sql, 'publications');
  return {
    dataKeys: new PostgresDirectory(sql),
    publications: new Publications(compileHistory, () => published.read()),
  };
}
