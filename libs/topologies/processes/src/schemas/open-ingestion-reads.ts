import { Publications } from '@laurel/engine';
import { compileHistory } from '@laurel/configuration';
import type { SqlReader } from '@laurel/kernel';
import type { DataKeys } from '@laurel/ports';
import { PostgresDirectory } from '@laurel/directory';
import type { ProcessFrame } from '../process/run-process.ts';
import { followErasures } from './follow-erasures.ts';
import { PublishedConfigurations } from './published-configurations.ts';
import { SchemaReaders } from './read-schemas.ts';
import { SCHEMAS } from './schemas.ts';

/** Reads of a service from the tables of the ingestion gateways. */
export interface IngestionReads {
  /** The data keys of users, from the directory. */
  readonly dataKeys: DataKeys;
  readonly publications: Publications;
}

/** Opens the reads while the process runs, and forgets the data keys of erased users. @throws StoreUnavailableError */
export async function followIngestionReads(frame: ProcessFrame): Promise<IngestionReads> {
  const sql = readerOf(frame);
  const directory = new PostgresDirectory(sql);
  await followErasures(frame, sql, directory);
  return readsOf(sql, directory);
}

/** Opens the reads for a job. Connects at the first read. */
export function openIngestionReads(frame: ProcessFrame): IngestionReads {
  const sql = readerOf(frame);
  return readsOf(sql, new PostgresDirectory(sql));
}

function readerOf({ environment, shutdown }: ProcessFrame): SqlReader {
  const readers = new SchemaReaders(environment.database);
  shutdown.register('data keys and publications', () => readers.close());
  return readers.reader(SCHEMAS.ingestion);
}

function readsOf(sql: SqlReader, dataKeys: DataKeys): IngestionReads {
  const published = new PublishedConfigurations(sql, 'publications');
  return { dataKeys, publications: new Publications(compileHistory, () => published.read()) };
}
