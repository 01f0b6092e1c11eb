import { Explainer } from '@laurel/areas';
import {
  ProblemError,
  problemOf,
  type ConfigurationHistory,
  type DataKeys,
  type ExplainReads,
  type SqlReader,
  type UserRef,
} from '@laurel/contracts';
import { PostgresLogReader } from '@laurel/event-store';
import { SCHEMAS, schemaOf, type SchemaName } from '../schemas/schemas.ts';
import { openUserReads } from './open-user-reads.ts';

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
  /** @throws ProblemError 422 if the log is not in Postgres; StoreUnavailableError */
  readonly explain: () => Promise<ExplainReads>;
  /** Nothing of the user stays in memory. */
  forget(user: UserRef): void;
}

const ELSEWHERE = problemOf(
  'not_in_this_topology',
  'The log of this installation is in EventStoreDB; explanations and timelines need it in Postgres.',
);

/** It begins with the first publication, wherever it is. */
const IS_HERE = 'select exists (select from events) as is_here';

/** Why numbers are what they are: by the log in Postgres, and what each service has stored of it. */
export function openExplainReads({ sqlOf, dataKeys, configurations }: ExplainReadsParts): OpenExplainReads {
  const historyOf = (account: string) => configurations.historyOf(account);
  const sql = sqlOf(SCHEMAS.ingestion);
  const explainer = new Explainer({
    sqlOf: (area) => sqlOf(schemaOf(area)),
    log: new PostgresLogReader(sql, dataKeys),
    ...openUserReads(sqlOf, historyOf),
    configurations: historyOf,
  });
  let isHere = false;
  return {
    explain: async () => {
      isHere ||= (await sql.query<{ is_here: boolean }>(IS_HERE, []))[0]?.is_here ?? false;
      if (!isHere) throw new ProblemError(ELSEWHERE);
      // A record that is read from now on may be of a version that came a moment ago.
      await configurations.refresh();
      return explainer;
    },
    forget: (user) => explainer.forget(user),
  };
}
