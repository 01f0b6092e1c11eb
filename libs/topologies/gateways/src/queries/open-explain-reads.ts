import { Explainer } from '@laurel/explain';
import type { SqlReader, UserRef } from '@laurel/kernel';
import type { DataKeys, ExplainReads } from '@laurel/ports';
import { ProblemError, problemOf } from '@laurel/schemas';
import { COPIED_LOG, LOG, type PostgresLogReader } from '@laurel/event-store';
import { type GatewayConfigurations, readLog, schemaOf, SCHEMAS, type SchemaReaders } from '@laurel/processes';
import { openUserReads } from '../schemas/open-user-reads.ts';

export interface ExplainReadsDependencies {
  readonly readers: Pick<SchemaReaders, 'reader'>;
  readonly dataKeys: DataKeys;
  readonly configurations: Pick<GatewayConfigurations, 'historyOf' | 'refresh'>;
}

export interface OpenExplainReads {
  /** @throws ProblemError 503 if nothing is recorded yet, or a log in EventStoreDB is not copied yet; StoreUnavailableError */
  readonly explain: () => Promise<ExplainReads>;
  /** Removes the user's data from memory. */
  forget(user: UserRef): void;
}

const EMPTY = problemOf('unavailable', 'Nothing is recorded yet, or nothing of it is copied; ask again later.');

/** The log stays in the store in which the first publication was recorded. The first ingestion gateway of this release creates the table of copies. */
const WHERE_IT_IS = `
select exists (select from events) as in_postgres, to_regclass('copied_events') is not null as may_be_copied`;
const IS_COPIED = 'select exists (select from copied_events) as is_copied';

/** Explanations from the log in Postgres, or the copy of one in EventStoreDB, and from what each service has stored. */
export function openExplainReads({ readers, dataKeys, configurations }: ExplainReadsDependencies): OpenExplainReads {
  const sql = readers.reader(SCHEMAS.ingestion);
  const reads = openUserReads(readers, configurations);
  const sqlOf = (area: Parameters<typeof schemaOf>[0]) => readers.reader(schemaOf(area));
  const explainerOver = (log: PostgresLogReader) =>
    new Explainer({ sqlOf, log, ...reads, configurations: configurations.historyOf });
  let explainer: Explainer | null = null;
  return {
    explain: async () => {
      explainer ??= explainerOver(await findLog(sql, dataKeys));
      // Records read from now on may have a version that was published a moment ago.
      await configurations.refresh();
      return explainer;
    },
    forget: (user) => explainer?.forget(user),
  };
}

/** @throws ProblemError 503 */
async function findLog(sql: SqlReader, dataKeys: DataKeys): Promise<PostgresLogReader> {
  const [found] = await sql.query<{ in_postgres: boolean; may_be_copied: boolean }>(WHERE_IT_IS, []);
  if (found?.in_postgres) return readLog(LOG, sql, dataKeys);
  if (found?.may_be_copied) {
    const [copy] = await sql.query<{ is_copied: boolean }>(IS_COPIED, []);
    if (copy?.is_copied) return readLog(COPIED_LOG, sql, dataKeys);
  }
  throw new ProblemError(EMPTY, { 'retry-after': '5' });
}
