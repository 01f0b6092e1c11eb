import { formatInstant } from '@laurel/calendar';
import type { RecordedEvent, SqlReader } from '@laurel/kernel';

const KEEP = `
insert into publications (account, version, document, published_at, published_by, reason, attribute_hashes)
values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`;

/** Keeps publications of the log in the table `publications`. Idempotent. */
export async function keepPublications(sql: SqlReader, records: readonly RecordedEvent[]): Promise<void> {
  for (const { account, occurredAt, fact } of records)
    if (fact.type === 'ConfigurationPublished')
      await sql.query(KEEP, [
        account,
        fact.version,
        JSON.stringify(fact.document),
        formatInstant(occurredAt),
        fact.by ?? null,
        fact.reason ?? null,
        fact.attributeHashes === undefined ? null : JSON.stringify(fact.attributeHashes),
      ]);
}
