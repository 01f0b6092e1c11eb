import { Publications } from '@laurel/engine';
import { compileHistory } from '@laurel/configuration';
import { COPIED_LOG, LOG, RecordedVerdicts } from '@laurel/event-store';
import type { SqlReader } from '@laurel/kernel';
import type { ChainStep, DataKeys } from '@laurel/ports';
import { PostgresDirectory } from '@laurel/directory';
import type { ProcessFrame } from '../process/run-process.ts';
import { followErasures } from './follow-erasures.ts';
import { PublishedConfigurations } from './published-configurations.ts';
import { SchemaReaders } from './read-schemas.ts';
import { SCHEMAS } from './schemas.ts';

type AppliedAreas = Pick<ChainStep, 'areas'>;

/** Reads of a service from the tables of the ingestion gateways. */
export interface IngestionReads {
  /** The data keys of users, from the directory. */
  readonly dataKeys: DataKeys;
  readonly publications: Publications;
  /** How requests for points were decided, by the log or its copy. Absent if the step does not decide them. */
  readonly verdicts?: RecordedVerdicts;
}

/** Opens the reads of a step while the process runs, and forgets the data keys of erased users. @throws StoreUnavailableError */
export async function followIngestionReads(frame: ProcessFrame, step: AppliedAreas): Promise<IngestionReads> {
  const sql = readerOf(frame);
  const directory = new PostgresDirectory(sql);
  await followErasures(frame, sql, directory);
  return readsOf(sql, directory, step);
}

/** Opens the reads for a job. Connects at the first read. */
export function openIngestionReads(frame: ProcessFrame, step: AppliedAreas): IngestionReads {
  const sql = readerOf(frame);
  return readsOf(sql, new PostgresDirectory(sql), step);
}

function readerOf({ environment, shutdown }: ProcessFrame): SqlReader {
  const readers = new SchemaReaders(environment.database);
  shutdown.register('data keys and publications', () => readers.close());
  return readers.reader(SCHEMAS.ingestion);
}

function readsOf(sql: SqlReader, dataKeys: DataKeys, { areas }: AppliedAreas): IngestionReads {
  const published = new PublishedConfigurations(sql, 'publications');
  return {
    dataKeys,
    publications: new Publications(compileHistory, () => published.read()),
    ...(areas.includes('points') && { verdicts: new RecordedVerdicts(sql, [LOG, COPIED_LOG]) }),
  };
}
