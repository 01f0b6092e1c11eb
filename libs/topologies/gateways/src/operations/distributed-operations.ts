import { createRequire } from 'node:module';
import { exportState } from '@laurel/exports';
import { formatInstant, tzDataVersion } from '@laurel/calendar';
import type { ConfigurationHistory, SqlReader } from '@laurel/kernel';
import type { Clock, Directory } from '@laurel/ports';
import { queueStatus, type DigestAnswer, placeholderUsers, type ServiceStatus } from '@laurel/schemas';
import type { ConnectionOptions, StorageUse } from '@laurel/database';
import type { EventLog } from '@laurel/event-store';
import { LeaderboardQueries, LeaderboardsArea } from '@laurel/leaderboards';
import type { Health, LastingFailures } from '@laurel/runtime';
import type { UserReadSides } from '../schemas/open-user-reads.ts';
import type { ChainWatch } from './chain-watch.ts';
import { distributedDigest } from './distributed-digest.ts';

const { version } = createRequire(import.meta.url)('@laurel/gateways/package.json') as { readonly version: string };

export interface DistributedOperationsDependencies {
  readonly server: ConnectionOptions;
  readonly watch: Pick<ChainWatch, 'look'>;
  readonly background: Pick<LastingFailures, 'problems'>;
  readonly leaderboardSql: SqlReader;
  readonly reads: Pick<UserReadSides, 'users' | 'streaks' | 'achievements' | 'points'>;
  readonly directory: Pick<Directory, 'idsOf' | 'page' | 'findAll'>;
  readonly log: Pick<EventLog, 'head' | 'read'>;
  readonly clock: Clock;
  readonly health: Pick<Health, 'report'>;
  readonly storage: Pick<StorageUse, 'current'>;
  readonly historyOf: (account: string) => ConfigurationHistory;
  readonly importOpen: (account: string) => Promise<boolean>;
  readonly lane: () => ServiceStatus['lane'];
  readonly heldBack: () => Pick<ServiceStatus, 'heldBackConfiguration'>;
}

const RECORDS_AT_A_TIME = 1_000;

/** The status, the digest and the export of the whole topology, for operators. */
export class DistributedOperations {
  readonly #dependencies: DistributedOperationsDependencies;

  constructor(dependencies: DistributedOperationsDependencies) {
    this.#dependencies = dependencies;
  }

  async status(account: string): Promise<ServiceStatus> {
    const {
      clock,
      directory,
      health,
      historyOf,
      importOpen,
      lane: queue,
      log,
      reads,
      storage,
      watch,
    } = this.#dependencies;
    const { services, areas, queryGateways, ...chain } = await watch.look();
    const problems = [...chain.problems, ...this.#dependencies.background.problems];
    const [{ ok: ready, notes }, disk, placeholders] = await Promise.all([
      health.report(),
      storage.current(),
      placeholderUsers({ directory, users: reads.users }, account).catch(() => null),
    ]);
    return {
      version,
      ready: ready && problems.length === 0,
      now: formatInstant(clock.now()),
      clock: notes['clock'] ?? null,
      tzDataVersion,
      configurationVersion: historyOf(account).current.version,
      ...this.#dependencies.heldBack(),
      head: await log.head(),
      importOpen: await importOpen(account),
      ...queueStatus(queue()),
      areas: [...areas],
      ...(placeholders !== null && { placeholderUsers: placeholders.length }),
      ...(disk !== null && { storage: disk }),
      rebuild: null,
      services: [...services],
      queryGateways,
      problems,
    };
  }

  async digest(account: string): Promise<DigestAnswer> {
    const { server, historyOf } = this.#dependencies;
    const { position, lines } = await distributedDigest(server, account, historyOf(account).current.names);
    return { position, tzDataVersion, lines: [...lines] };
  }

  state(account: string): AsyncIterable<string> {
    const { reads, directory, leaderboardSql, historyOf, clock } = this.#dependencies;
    const leaderboards = storedLeaderboards(leaderboardSql, historyOf);
    return exportState(
      { ...reads, directory, leaderboards, countEvents: () => this.#countEvents() },
      account,
      clock.now(),
    );
  }

  async #countEvents(): Promise<number> {
    let events = 0;
    for (let after = 0, more = true; more;) {
      const records = await this.#dependencies.log.read(after, RECORDS_AT_A_TIME);
      events += records.filter(({ fact }) => fact.type === 'MetricEventRecorded').length;
      after = records.at(-1)?.position ?? after;
      more = records.length === RECORDS_AT_A_TIME;
    }
    return events;
  }
}

/** The leaderboards for exports, which read only the tables. */
export const storedLeaderboards = (
  sql: SqlReader,
  historyOf: (account: string) => ConfigurationHistory,
): LeaderboardQueries => new LeaderboardQueries(new LeaderboardsArea(sql), sql, historyOf);
