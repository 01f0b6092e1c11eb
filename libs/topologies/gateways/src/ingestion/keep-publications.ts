import { formatInstant } from '@laurel/calendar';
import type { RecordedEvent, SqlReader } from '@laurel/kernel';

/** Keeps publications of the log in the table `publications`. Idempotent. */
export async function keepPublications(sql: SqlReader, records: readonly RecordedEvent[]): Promise<void> {
  for (const { account, occurredAt, fact } of records)
    if (fact.type === 'ConfigurationPublished')
      await sql.query('insert into publications values ($1, $2, $3, $4, $5, $6) on conflict do nothing', [
        account,
        fact.version,
        JSON.stringify(fact.document),
        formatInstant(occurredAt),
        fact.by ?? null,
        fact.reason ?? null,
      ]);
}
