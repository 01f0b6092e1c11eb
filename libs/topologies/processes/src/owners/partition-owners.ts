import type { SqlReader } from '@laurel/kernel';

/** In order of the partition: two instances that claim the same ones wait for each other in one direction only. */
const CLAIM = `
insert into partition_owners (topic, partition, address, epoch)
select $1, partition, $3, 1 from unnest($2::int[]) as partition order by partition
on conflict (topic, partition) do update set address = excluded.address, epoch = partition_owners.epoch + 1
returning partition, epoch`;

const RECORDED_ELSEWHERE = `
select partition from unnest($2::int[]) as partition where not exists (
  select from partition_owners known where known.topic = $1 and known.partition = partition.partition and known.address = $3
)`;

/** Which instance works on which partition of a topic, as its instances write it. */
export class PartitionOwners {
  readonly #sql: SqlReader;
  readonly #topic: string;

  /** @param sql of the schema of the service that works on the topic; a transaction of it, if the claim belongs into one. */
  constructor(sql: SqlReader, topic: string) {
    this.#sql = sql;
    this.#topic = topic;
  }

  /**
   * Writes that these partitions are worked on at `address` (`host:port`) from now on, and answers the new epoch of each: one
   * more than that of the owner before. @throws StoreUnavailableError
   */
  async claim(partitions: readonly number[], address: string): Promise<ReadonlyMap<number, bigint>> {
    if (partitions.length === 0) return new Map();
    const distinct = [...new Set(partitions)];
    const rows = await this.#sql.query<{ partition: number; epoch: string }>(CLAIM, [this.#topic, distinct, address]);
    return new Map(rows.map(({ partition, epoch }) => [partition, BigInt(epoch)]));
  }

  /**
   * Claims those of these partitions that are recorded with another address: the claim of an earlier owner may arrive late, and a failover
   * of the database may lose the newest one. @throws StoreUnavailableError
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
