import { CHAIN_SERVICES } from '@laurel/ports';
import { clientConfig } from '@laurel/database';
import pg from 'pg';
import { eventually, type Topology } from './topology.ts';

/**
 * The table with the checkpoint of a process, by the name of its service; `relay` stands for the ingestion gateways.
 */
const PLACES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(CHAIN_SERVICES.map(({ name, schema }) => [name, `${schema}.input_partitions`])),
  relay: 'laurel_ingestion.relay_checkpoint',
};

const WAITING = 'select pid from pg_stat_activity where $1 = any (pg_blocking_pids(pid))';

/**
 * Locks the rows that a service (or the relay) must update to record its progress. The service then waits between
 * sending and its commit.
 */
export class BlockedCommits {
  readonly #topology: Topology;
  readonly #service: string;
  readonly #holder: pg.Client;
  readonly #watcher: pg.Client;
  readonly #holderPid: number;

  private constructor(topology: Topology, service: string, holder: pg.Client, watcher: pg.Client, holderPid: number) {
    this.#topology = topology;
    this.#service = service;
    this.#holder = holder;
    this.#watcher = watcher;
    this.#holderPid = holderPid;
  }

  static async hold(topology: Topology, service: string): Promise<BlockedCommits> {
    const config = clientConfig(topology.postgres.connection);
    const [holder, watcher] = [new pg.Client(config), new pg.Client(config)];
    await Promise.all([holder.connect(), watcher.connect()]);
    const { rows } = await holder.query<{ pid: number }>('select pg_backend_pid() as pid');
    await holder.query(`begin; select from ${PLACES[service]} for update`);
    return new BlockedCommits(topology, service, holder, watcher, rows[0]?.pid ?? 0);
  }

  /** Resolves when this many commits wait. @returns the server processes that execute them */
  async waiting(commits = 1): Promise<readonly number[]> {
    let pids: readonly number[] = [];
    await eventually(this.#topology, `${commits} commits of ${this.#service} wait`, async () => {
      const { rows } = await this.#watcher.query<{ pid: number }>(WAITING, [this.#holderPid]);
      pids = rows.map(({ pid }) => pid);
      return pids.length >= commits;
    });
    return pids;
  }

  /** Ends the waiting commits, so that they never happen. */
  async abort(pids: readonly number[]): Promise<void> {
    await this.#watcher.query('select pg_terminate_backend(pid) from unnest($1::int[]) pid', [pids]);
  }

  /** Lets blocked commits happen, even those of dead processes. */
  async release(): Promise<void> {
    await this.#holder.query('rollback');
    await Promise.all([this.#holder.end(), this.#watcher.end()]);
  }
}
