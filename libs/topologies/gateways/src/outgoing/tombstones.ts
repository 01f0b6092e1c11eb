import { formatInstant } from '@laurel/calendar';
import type { SqlReader } from '@laurel/kernel';
import { OUTCOMES_TOPIC, type Clock } from '@laurel/ports';
import { partitionOf, type StreamProducer, type TopicRetention } from '@laurel/event-stream';
import { ERASED_OUTCOMES } from '@laurel/outgoing';

export interface TombstonesDependencies {
  /** Reaches {@link ERASED_OUTCOMES}. */
  readonly sql: SqlReader;
  readonly producer: Pick<StreamProducer, 'sendTombstones'>;
  /** null while it is unknown. */
  readonly retention: () => Promise<TopicRetention | null>;
  readonly clock: Pick<Clock, 'now'>;
  readonly account: string;
  readonly partitions: number;
}

const AT_A_TIME = 500;
const MINUTE_MS = 60_000;
/** Assumed for a topic without a compaction lag, or with a longer one. */
const LONGEST_LAG_MS = 7 * 24 * 60 * MINUTE_MS;

/**
 * Removes the outcomes of erased users from `laurel.outcomes`: it sends a tombstone under the id of each, and the compaction of the topic
 * does the rest. Kafka does not compact the segment that it writes, and begins the next one only when something is sent after the lag. So
 * each outcome gets a second tombstone after the lag; by then the segment with the outcome and the first tombstone has ended.
 */
export class Tombstones {
  readonly #dependencies: TombstonesDependencies;

  constructor(dependencies: TombstonesDependencies) {
    this.#dependencies = dependencies;
  }

  /** Sends the tombstones that are due. @returns whether there may be more. @throws StoreUnavailableError, or the producer's error: call it again */
  async sendSome(): Promise<boolean> {
    const { sql, account, clock, producer, partitions } = this.#dependencies;
    const [any] = await sql.query(ANY, [account]);
    if (any === undefined) return false;
    const retention = await this.#dependencies.retention();
    const now = clock.now();
    const before = retention === null ? null : formatInstant(now - secondAfterMs(retention));
    const due = await sql.query<{ id: string; subject: string | null }>(DUE, [account, before, AT_A_TIME]);
    await producer.sendTombstones(
      due.map(({ id, subject }) => ({
        topic: OUTCOMES_TOPIC,
        key: id,
        value: null,
        headers: {},
        partition: partitionOf(account, subject ?? '', partitions),
      })),
    );
    if (due.length > 0) await sql.query(SENT, [account, due.map(({ id }) => id), formatInstant(now), before]);
    return due.length === AT_A_TIME;
  }
}

/** The lag with a margin, because clocks differ. */
function secondAfterMs({ compactionLagMs }: TopicRetention): number {
  const lagMs = Math.min(compactionLagMs ?? LONGEST_LAG_MS, LONGEST_LAG_MS);
  return lagMs + Math.min(lagMs, MINUTE_MS);
}

const ANY = `select id from ${ERASED_OUTCOMES} where account = $1 limit 1`;

const DUE = `
select id, subject from ${ERASED_OUTCOMES}
where account = $1 and (sent_at is null or sent_at <= $2) order by sent_at nulls first limit $3`;

/** Deletes rows after their second tombstone. A row whose first tombstone another instance has just sent is not due for the second. */
const SENT = `
with second as (
  delete from ${ERASED_OUTCOMES} where account = $1 and id = any($2::uuid[]) and sent_at <= $4
)
update ${ERASED_OUTCOMES} set sent_at = $3 where account = $1 and id = any($2::uuid[]) and sent_at is null`;
