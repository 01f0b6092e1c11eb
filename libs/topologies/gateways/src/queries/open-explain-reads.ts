import { Explainer } from '@laurel/explain';
import type { ConfigurationHistory, SqlReader, UserRef } from '@laurel/kernel';
import type { DataKeys, ExplainReads } from '@laurel/ports';
import { ProblemError, problemOf } from '@laurel/schemas';
import { PostgresLogReader } from '@laurel/event-store';
import { readCopiedLog, type SchemaName, schemaOf, SCHEMAS } from '@laurel/processes';
import { openUserReads } from '../schemas/open-user-reads.ts';

export interface ExplainReadsParts {
  /** Over small pools; the same reader for a schema whenever it is asked for. */
  readonly sqlOf: (schema: SchemaName) => SqlReader;
  readonly dataKeys: DataKeys;
  readonly configurations: {
    /** Knows all that is published by now, once it resolves. */
    refresh(): Promise<void>;
    historyOf(account: string): ConfigurationHistory;
  };
}

export interface OpenExplainReads {
  /** @throws ProblemError 503 if nothing is recorded yet, or a log in EventStoreDB is not copied yet; StoreUnavailableError */
  readonly explain: () => Promise<ExplainReads>;
  /** Nothing of the user stays in memory. */
  forget(user: UserRef): void;
}

const EMPTY = problemOf('unavailable', 'Nothing is recorded yet, or nothing of it is copied; ask again later.');

/** A log begins with the first publication, and stays where it begins. The first ingestion gateway of this release makes the table of copies. */
const WHERE_IT_IS = `
select exists (select from events) as in_postgres, to_regclass('copied_events') is not null as may_be_copied`;
const IS_COPIED = 'select exists (select from copied_events) as is_copied';

/** Why numbers are what they are: by the log in Postgres, or the copy of one in EventStoreDB, and what each service has stored of it. */
export function openExplainReads({ sqlOf, dataKeys, configurations }: ExplainReadsParts): OpenExplainReads {
  const historyOf = (account: string) => configurations.historyOf(account);
  const sql = sqlOf(SCHEMAS.ingestion);
  const reads = openUserReads(sqlOf, historyOf);
  const explainerOver = (log: PostgresLogReader) =>
    new Explainer({ sqlOf: (area) => sqlOf(schemaOf(area)), log, ...reads, configurations: historyOf });
  let explainer: Explainer | null = null;
  return {
    explain: async () => {
      explainer ??= explainerOver(await findLog(sql, dataKeys));
      // A record that is read from now on may be of a version that came a moment ago.
      await configurations.refresh();
      return explainer;
    },
    forget: (user) => explainer?.forget(user),
  };
}

/** @throws ProblemError 503 */
async function findLog(sql: SqlReader, dataKeys: DataKeys): Promise<PostgresLogReader> {
  const [found] = await sql.query<{ in_postgres: boolean; may_be_copied: boolean }>(WHERE_IT_IS, []);
  if (found?.in_postgres) return new PostgresLogReader(sql, dataKeys);
  if (found?.may_be_copied) {
    const [copy] = await sql.query<{ is_copied: boolean }>(IS_COPIED, []);
    if (copy?.is_copied) return readCopiedLog(sql, dataKeys);
  }
  throw new ProblemError(EMPTY, { 'retry-after': '5' });
}
