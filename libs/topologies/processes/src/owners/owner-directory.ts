import type { SqlReader } from '@laurel/kernel';
import { GATEWAYS, OUTGOING_SERVICE, serviceOf, type Clock } from '@laurel/ports';

/** Processes that own the partitions of their input. */
const OWNERS = [...GATEWAYS, serviceOf('leaderboards')];

/** Processes in which one instance at a time writes a topic; the instance is recorded as the owner of partition 0. */
const WRITERS = [GATEWAYS[0], OUTGOING_SERVICE];

/** The age at which owners are read again without a failure. */
const FRESH_MS = 1_000;

interface Known {
  readonly addresses: ReadonlyMap<number, string>;
  readonly readAtMs: number;
}

/** The owners of partitions, as far as this process knows. Without a failure, they are read at most once a second. */
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
   * The address (`host:port`) of the partition's owner; null if it has none yet. A refresh in the background does not delay the result.
   * @throws StoreUnavailableError if nothing is known yet and the database cannot be reached
   */
  async ownerOf(topic: string, partition: number): Promise<string | null> {
    const known = this.#known.get(topic);
    if (known === undefined) await this.renew(topic);
    else if (this.#clock.elapsedMs() - known.readAtMs >= FRESH_MS) this.renew(topic).catch(() => undefined);
    return this.#known.get(topic)?.addresses.get(partition) ?? null;
  }

  /** The addresses of all owners of the topic. @throws StoreUnavailableError */
  async addressesOf(topic: string): Promise<readonly string[]> {
    await this.renew(topic);
    return [...new Set(this.#known.get(topic)?.addresses.values())];
  }

  /** Reads the owners again, after a failed call. @throws StoreUnavailableError */
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
  if (owner === undefined) throw new Error(`no process owns the partitions of ${topic}`);
  return owner.schema;
}
