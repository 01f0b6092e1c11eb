import { formatInstant } from '@laurel/calendar';
import type { LogRecord } from '@laurel/contracts';
import { decodeFact, encodeFact, type StoredFact } from '../record-codec.ts';

/**
 * The head of the log as a compare-and-set: it moves only if this writer's epoch is still the newest and nobody else has
 * appended. Everything in the same statement is joined to `head`, so that a fenced writer writes nothing at all.
 * $1 epoch, $2 expected position, $3 new position.
 */
export const MOVE_HEAD = `
head as (
  update log_head set position = $3 where epoch = $1 and position = $2 returning position
)`;

/** $4: the records, as {@link eventRow} gives them, in a JSON array. */
export const INSERT_EVENTS = `
inserted_events as (
  insert into events select e.* from head, json_populate_recordset(null::events, $4::json) e
)`;

/** A record as a row of `events`, by column name. */
export function eventRow(record: LogRecord): Readonly<Record<string, unknown>> {
  const stored = encodeFact(record.fact);
  return {
    position: record.position,
    account: record.account,
    event_id: record.eventId,
    type: stored.type,
    schema_version: stored.schemaVersion,
    configuration_version: record.configurationVersion,
    user_id: stored.userId,
    metric: stored.metric,
    idempotency_key: stored.idempotencyKey,
    occurred_at: formatInstant(record.occurredAt),
    recorded_at: formatInstant(record.recordedAt),
    data: stored.data,
  };
}

/** A row of `events` as the driver reads it: bigint as string, timestamptz as Date. */
export interface EventRow {
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
  readonly data: StoredFact['data'];
}

export function recordOf(row: EventRow): LogRecord {
  return {
    position: Number(row.position),
    account: row.account,
    eventId: row.event_id,
    configurationVersion: row.configuration_version,
    occurredAt: row.occurred_at.getTime(),
    recordedAt: row.recorded_at.getTime(),
    fact: decodeFact({
      type: row.type,
      schemaVersion: row.schema_version,
      userId: row.user_id,
      metric: row.metric,
      idempotencyKey: row.idempotency_key,
      data: row.data,
    }),
  };
}

/** True for the violation by which Postgres tells that an idempotency key has been used. */
export const isDuplicateKey = (error: unknown): boolean => {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === '23505' && constraint === 'events_idempotency';
};
