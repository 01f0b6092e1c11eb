import type { SqlReader } from '@laurel/contracts';
import type { Json } from '../record-codec.ts';
import type { FirstFormRecord } from './lift-records.ts';

interface FirstFormRow {
  readonly position: string;
  readonly account: string;
  readonly event_id: string;
  readonly type: string;
  readonly schema_version: number;
  readonly configuration_version: number;
  readonly user_id: string | null;
  readonly metric: string | null;
  readonly idempotency_key: string | null;
  readonly occurred_at: Date;
  readonly recorded_at: Date;
  readonly data: Json;
}

const RECORDS_AT_A_TIME = 500;

/** The log of 0.1 in Postgres, as the migration of the event store has put it aside; nothing if there is none. */
export async function* firstFormOfPostgres(sql: SqlReader): AsyncGenerator<readonly FirstFormRecord[]> {
  const [there] = await sql.query<{ there: boolean }>("select to_regclass('events_of_0_1') is not null as there", []);
  for (let after = 0, more = there?.there === true; more;) {
    const rows = await sql.query<FirstFormRow>(
      'select * from events_of_0_1 where position > $1 order by position limit $2',
      [after, RECORDS_AT_A_TIME],
    );
    yield rows.map(recordOf);
    after = Number(rows.at(-1)?.position ?? after);
    more = rows.length === RECORDS_AT_A_TIME;
  }
}

const recordOf = (row: FirstFormRow): FirstFormRecord => ({
  eventId: row.event_id,
  account: row.account,
  configurationVersion: row.configuration_version,
  occurredAt: row.occurred_at.getTime(),
  recordedAt: row.recorded_at.getTime(),
  fact: {
    type: row.type,
    schemaVersion: row.schema_version,
    userId: row.user_id,
    metric: row.metric,
    idempotencyKey: row.idempotency_key,
    data: row.data,
  },
});
