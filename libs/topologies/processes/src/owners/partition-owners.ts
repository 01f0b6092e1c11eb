import type { SqlReader } from '@laurel/kernel';

/** Ordered by partition, so that two instances that claim the same partitions do not deadlock. */
const CLAIM = `
insert into partition_owners (topic, partition, address, epoch)
select $1, partition, $3, 1 from unnest($2::int[]) as partition order by partition
on conflict (topic, partition) do update set address = excluded.address, epoch = partition_owners.epoch + 1
returning partition, epoch`;

const RECORDED_ELSEWHERE = `
select partition from unnest($2::int[]) as partition where not exists (
  select from partition_owners known where known.topic = $1 and known.partition = partition.partition and known.address = $3
)`;

/** Writes which instance owns which partition of a topic. */
export class PartitionOwners {
  readonly #sql: SqlReader;
  readonly #topic: string;

  /** @param sql of the schema of the service that reads the topic; may be a transaction */
  constructor(sql: SqlReader, topic: string) {
    this.#sql = sql;
    this.#topic = topic;
  }

  /**
   * Records `address` (`host:port`) as the owner of these partitions, and returns the new epoch of each, which is the previous epoch plus one.
   * @throws StoreUnavailableError
   */
  async claim(partitions: readonly number[], address: string): Promise<ReadonlyMap<number, bigint>> {
    if (partitions.length === 0) return new Map();
    const distinct = [...new Set(partitions)];
    const rows = await this.#sql.query<{ partition: number; epoch: string }>(CLAIM, [this.#topic, distinct, address]);
    return new Map(rows.map(({ partition, epoch }) => [partition, BigInt(epoch)]));
  }

  /**
   * Claims again the partitions that are recorded with another address: the claim of an earlier owner may arrive late, and a failover of the
   * database may lose the newest claim. @throws StoreUnavailableError
   */
  async keep(partitions: readonly number[], address: string): Promise<void> {
    if (partitions.length === 0) return;
    const rows = await this.#sql.query<{ partition: number }>(RECORDED_ELSEWHERE, [this.#topic, partitions, address]);
    await this.claim(
      rows.map(({ partition }) => partition),
      address,
    );
  }
}
