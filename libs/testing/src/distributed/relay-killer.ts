import { clientConfig } from '@laurel/database';
import pg from 'pg';
import { eventually, type ServiceProcess, type Topology } from './topology.ts';

/** Ends the connection of the log's publisher, which holds the advisory lock. */
const DEPOSE = `
select pg_terminate_backend(l.pid) from pg_locks l join pg_stat_activity a using (pid)
where l.locktype = 'advisory' and l.granted and a.application_name = 'laurel-leader'`;

const TURN_MS = 60_000;

/**
 * Kills one of two ingestion gateways with SIGKILL whenever it publishes the log, waits until the other one takes over,
 * and starts it again. Then takes the lead away from the other one, which keeps serving: for a moment, both believe
 * that they lead.
 */
export class RelayKiller {
  /** For each kill, how many records the killed gateway had published. */
  readonly publishedBefore: number[] = [];
  readonly #topology: Topology;
  readonly #victim: ServiceProcess;
  readonly #other: ServiceProcess;
  readonly #running: Promise<void>;
  #ended = false;

  private constructor(topology: Topology) {
    this.#topology = topology;
    [this.#other, this.#victim] = topology.of('ingestion-gateway') as [ServiceProcess, ServiceProcess];
    this.#running = this.#run();
    this.#running.catch(() => undefined);
  }

  /** The first ingestion gateway of the topology keeps serving, the second one is killed. */
  static start(topology: Topology): RelayKiller {
    return new RelayKiller(topology);
  }

  /** Ends after the present round. @throws Error if an earlier round failed. */
  async stop(): Promise<void> {
    this.#ended = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    const sql = new pg.Client(clientConfig(this.#topology.postgres.connection));
    await sql.connect();
    try {
      while (!this.#ended) await this.#turn(sql);
    } finally {
      await sql.end();
    }
  }

  async #turn(sql: pg.Client): Promise<void> {
    if ((await numberOf(this.#other, 'leading')) > 0) await sql.query(DEPOSE);
    await this.#until('the second gateway publishes', async () => {
      if (this.#ended || (await numberOf(this.#victim, 'published_total')) > 0) return true;
      // The other gateway may have taken the lead again.
      if ((await numberOf(this.#other, 'leading')) > 0) await sql.query(DEPOSE);
      return false;
    });
    if (this.#ended) return;
    this.publishedBefore.push(await numberOf(this.#victim, 'published_total'));
    await this.#victim.kill();
    await this.#until('the first gateway leads', async () => (await numberOf(this.#other, 'leading')) > 0);
    await this.#victim.start();
  }

  #until(what: string, condition: () => Promise<boolean>): Promise<void> {
    return eventually(this.#topology, what, condition, TURN_MS);
  }
}

const numberOf = async (process: ServiceProcess, name: string): Promise<number> =>
  (await process.metrics()).get(`laurel_${name}`) ?? Number.NaN;
