import type { SqlReader } from '@laurel/kernel';
import { GATEWAYS, OUTGOING_SERVICE, serviceOf, type Clock } from '@laurel/ports';

/** The processes that answer for the partitions of their input. */
const OWNERS = [...GATEWAYS, serviceOf('leaderboards')];

/** Those that one instance at a time writes a topic for; it is entered for partition 0. */
const WRITERS = [GATEWAYS[0], OUTGOING_SERVICE];

/** What was read is good for so long without a reason to doubt it. */
const FRESH_MS = 1_000;

interface Known {
  readonly addresses: ReadonlyMap<number, string>;
  readonly readAtMs: number;
}

/** Which instance works on which partition, as far as this process knows: read at most once a second without cause. */
export class OwnerDirectory {
  readonly #sql: SqlReader;
  readonly #clock: Clock;
  readonly #known = new Map<string, Known>();
  readonly #readings = new Map<string, Promise<void>>();

  /** @param sql of any schema of the database. */
  constructor(sql: SqlReader, clock: Clock) {
    this.#sql = sql;
    this.#clock = clock;
  }

  /**
   * The address (`host:port`) of the partition's owner; null: it has none yet. While what is known is read again, it is
   * still answered. @throws StoreUnavailableError if nothing is known yet and the database cannot be reached.
   */
  async ownerOf(topic: string, partition: number): Promise<string | null> {
    const known = this.#known.get(topic);
    if (known === undefined) await this.renew(topic);
    else if (this.#clock.elapsedMs() - known.readAtMs >= FRESH_MS) this.renew(topic).catch(() => undefined);
    return this.#known.get(topic)?.addresses.get(partition) ?? null;
  }

  /** Every instance that works on the topic. @throws StoreUnavailableError */
  async addressesOf(topic: string): Promise<readonly string[]> {
    await this.renew(topic);
    return [...new Set(this.#known.get(topic)?.addresses.values())];
  }

  /** Reads anew, for somebody whose call to an owner failed. @throws StoreUnavailableError */
  renew(topic: string): Promise<void> {
    const underWay = this.#readings.get(topic);
    if (underWay) return underWay;
    const reading = this.#read(topic).finally(() => this.#readings.delete(topic));
    this.#readings.set(topic, reading);
    return reading;
  }

  async #read(topic: string): Promise<void> {
    const readAtMs = this.#clock.elapsedMs();
    const rows = await this.#sql.query<{ partition: number; address: string }>(
      `select partition, address from ${schemaOf(topic)}.partition_owners where topic = $1`,
      [topic],
    );
    this.#known.set(topic, { addresses: new Map(rows.map((row) => [row.partition, row.address])), readAtMs });
  }
}

function schemaOf(topic: string): string {
  const owner = OWNERS.find(({ input }) => input === topic) ?? WRITERS.find(({ output }) => output === topic);
  if (owner === undefined) throw new Error(`nobody is asked for a partition of ${topic}`);
  return owner.schema;
}
