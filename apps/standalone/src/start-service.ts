import { LiveCorrections } from '@laurel/corrections';
import { placesOfUser } from '@laurel/erasures';
import { countEvents, exportState } from '@laurel/exports';
import { verifyStored, type StoredVerification } from '@laurel/verify';
import type { Explainer } from '@laurel/explain';
import { MIGRATIONS, USER_AREAS, openReads, STORED_TABLES, storedDigest, type AreaReads } from '@laurel/all-areas';
import type { AdministrationPorts, KeyLog } from '@laurel/administration';
import { type ConfigurationHistory, type DamagedState, type SqlReader, type UserRef } from '@laurel/kernel';
import type { LiveReads, Clock, Directory, FileSystemSpace } from '@laurel/ports';
import {
  assertTextIsSafe,
  clientConfig,
  type ConfigurationFiles,
  type ConnectionOptions,
  dataSourceOf,
  migrate,
  PostgresConfigurationFiles,
  sqlReader,
  StorageUse,
} from '@laurel/database';
import { PostgresDirectory } from '@laurel/directory';
import {
  LogProofs,
  catchUpChain,
  findPosition,
  readChain,
  LogWriter,
  PostgresLogReader,
  refuseOldLog,
  type AdministrativeLog,
  type UserLog,
  type EventLog,
  type EventLookup,
} from '@laurel/event-store';
import { LeaderboardsArea } from '@laurel/leaderboards';
import {
  Chain,
  type DecisionRecorder,
  type Digest,
  type Engine,
  type EngineStatus,
  type QueueState,
  RecentEvents,
  removeAbandonedRebuild,
} from '@laurel/engine';
import { type OutcomeReader, PostgresOutcomes, type OldestNeeded, type Outcomes } from '@laurel/outgoing';
import { UserSearchIndex, type UserSearchEvents } from '@laurel/users';
import type { DataSource } from 'typeorm';
import { BoundedPools, type BoundedService } from './bounded-service.ts';
import { outcomeReaderOf } from './read-outcomes.ts';
import { startDecisions } from './start-decisions.ts';
import { startEngine } from './start-engine.ts';

/** The whole chain in one process: the engine, and the read side of each area. */
export interface Service {
  readonly reads: AreaReads;
  readonly engine: Engine;
  readonly directory: Directory;
  readonly dataSource: DataSource;
  readonly log: EventLog & EventLookup & AdministrativeLog & UserLog;
  /** Reads of areas for people, over a separate small pool, so that requests of applications never wait for them. */
  readonly administrative: AreaReads;
  readonly bounded: BoundedService;
  readonly explain: Explainer;
  readonly live: LiveReads;
  readonly outcomes: Outcomes;
  /** Makes outcomes of committed events. */
  readonly outcomeReader: Pick<OutcomeReader, 'catchUp' | 'caughtUp' | 'deleteOld' | 'failingMs'>;
  readonly corrections: LiveCorrections;
  /** Finds requests for points, and records the verdicts that the log lacks. */
  readonly decisions: DecisionRecorder;
  readonly configuration: (account: string) => ConfigurationHistory;
  readonly configurationFiles: ConfigurationFiles;
  readonly logHash: AdministrationPorts['logHash'];
  readonly storage: StorageUse;
  /** The index is not started yet: the caller decides whether it is used. */
  readonly userSearch: UserSearchIndex;
  /** Hashes all stored data, reading the tables. */
  digest(account: string): Promise<Digest>;
  /** All read models as JSON text, in chunks. */
  exportState(account: string, at: number): AsyncIterable<string>;
  /** Every place with data of a user, and how an erasure changes it. */
  placesOfUser(asked: Parameters<typeof placesOfUser>[1]): ReturnType<typeof placesOfUser>;
  /**
   * Verifies the stored data (specification, section 11), and reports its findings.
   * @param full whether to fold every user
   * @throws Error if the database cannot be read, or the service closes during the verification
   */
  verify(
    account: string,
    full: boolean,
    onProgress: StoredVerification['onProgress'],
    onlyLog?: boolean,
  ): Promise<void>;
  close(): Promise<void>;
}

export interface ServiceEvents {
  /** Called at the beginning of each step of the start. */
  readonly onStep?: (step: string) => void;
  readonly onAreaFailure: (area: string, position: number, error: unknown) => void;
  readonly onQueueState: (state: QueueState, error: unknown) => void;
  readonly onCommitted?: (commands: number, ms: number) => void;
  readonly onSweepFailure: (error: unknown) => void;
  /** Called once a user is erased, with the user's key in outcomes. */
  readonly onErased?: (userKey: string) => void;
  readonly onDamagedState: (damage: DamagedState, error: unknown) => void;
  /** Called when outcomes could not be made; this is retried. */
  readonly onOutcomesFailure: (error: unknown) => void;
  /** Called before outcomes are deleted. */
  readonly oldestNeeded: OldestNeeded;
  readonly onUserSearch?: Partial<UserSearchEvents>;
}

/** The log that the keys of a service record their events in. */
export const keyLog = ({ engine, log }: Pick<Service, 'engine' | 'log'>): KeyLog => ({
  readAccountEvents: (account, types) => log.readAccountEvents(account, types),
  recordKeyEvent: (account, fact, at) => engine.recordAccountEvent(account, fact, at),
});

/**
 * @param space returns the space on the database's disk; null if this process cannot see it
 * @throws LogInUseError while another process writes to the database; StaleReadModelsError if areas must be rebuilt;
 * StartError if the database cannot be used. Nothing is left open then.
 */
export async function startService(
  connection: ConnectionOptions,
  clock: Clock,
  events: ServiceEvents,
  space: (() => Promise<FileSystemSpace>) | null = null,
): Promise<Service> {
  const dataSource = await dataSourceOf(connection, MIGRATIONS).initialize();
  try {
    const sql = sqlReader(dataSource);
    const writer = await LogWriter.open(clientConfig(connection), async () => {
      await refuseOldLog(sql);
      events.onStep?.('migrating the database');
      await migrate(dataSource, connection);
      await assertTextIsSafe(sql);
    });
    try {
      await removeAbandonedRebuild(sql);
      return await assemble({ connection, dataSource, sql, writer, clock, events, space });
    } catch (error) {
      await writer.close();
      throw error;
    }
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
}

interface Opened {
  readonly connection: ConnectionOptions;
  readonly dataSource: DataSource;
  readonly sql: SqlReader;
  readonly writer: LogWriter;
  readonly clock: Clock;
  readonly events: ServiceEvents;
  readonly space: (() => Promise<FileSystemSpace>) | null;
}

async function assemble(opened: Opened): Promise<Service> {
  const { connection, dataSource, sql, writer, clock, events } = opened;
  const configuration = (account: string) => engine.historyOf(account);
  const boards = new LeaderboardsArea(sql);
  const directory = new PostgresDirectory(sql);
  const log = new PostgresLogReader(sql, directory);
  const reads = openReads(sql, boards, configuration);
  const pools = new BoundedPools({ connection, directory, boards, configuration });
  await hashLog(opened, log);
  const outcomes = new PostgresOutcomes(sql);
  const recentEvents = new RecentEvents(RECENT_EVENTS_BYTES);
  const read = { sql, clock, log, directory, reads, outcomes, recentEvents, configuration };
  const { oldestNeeded, onOutcomesFailure: onFailure } = events;
  const outcomeReader = outcomeReaderOf({ ...read, engine: () => engine, oldestNeeded, onFailure });
  events.onStep?.('catching up with the log');
  const engine = await startEngine(
    { connection, sql, writer, directory, log, users: reads.users },
    {
      chain: new Chain(USER_AREAS, boards, events.onAreaFailure),
      clock,
      recentEvents,
      ...engineEvents(events, outcomeReader, [directory, pools.explain]),
    },
  );
  const storage = await openStorage(opened, () => engine.status().head);
  const userSearch = new UserSearchIndex(sql, clock, { onProgress: ignore, onFailure: ignore, ...events.onUserSearch });
  const corrections = new LiveCorrections({ engine, log, clock });
  const bounded = pools.service(outcomes, corrections);
  const closing = new AbortController();
  outcomeReader.begin();
  const decisions = startDecisions(opened, { log, engine, directory, configuration });
  return {
    engine,
    directory,
    dataSource,
    log,
    logHash: logHashOf(sql, log),
    storage,
    userSearch,
    configuration,
    configurationFiles: new PostgresConfigurationFiles(sql).readBy(bounded.sql),
    reads,
    administrative: pools.areas,
    bounded,
    explain: pools.explain,
    live: pools.live(() => appliedByUsers(engine.status())),
    outcomes,
    outcomeReader,
    corrections,
    decisions,
    ...wholeReads(opened, { reads, directory, configuration, stopped: closing.signal }),
    close: async () => {
      closing.abort(new Error('the service is closing'));
      for (const part of [decisions, userSearch, outcomeReader, engine, writer, pools]) await part.close();
      await dataSource.destroy();
    },
  };
}

/** @param memories of users; they are forgotten with a user who is erased */
const engineEvents = (
  events: ServiceEvents,
  outcomeReader: OutcomeReader,
  memories: readonly { forget(user: UserRef): void }[],
) => ({
  onQueueState: events.onQueueState,
  onSweepFailure: events.onSweepFailure,
  onDamagedState: events.onDamagedState,
  onErased: (user: UserRef) => {
    for (const memory of memories) memory.forget(user);
    // First the outcomes, so that none becomes a delivery once the user's deliveries are deleted.
    void outcomeReader.forget(user).then(() => events.onErased?.(String(user.subject)));
  },
  onCommitted: (commands: number, ms: number) => {
    outcomeReader.wake();
    events.onCommitted?.(commands, ms);
  },
});

async function openStorage({ sql, clock, space }: Opened, records: () => number): Promise<StorageUse> {
  const tables = { schemas: null, names: STORED_TABLES };
  const storage = new StorageUse({ sql, clock, tables, records, space });
  await storage.refresh();
  return storage;
}

const logHashOf = (sql: SqlReader, log: PostgresLogReader): Service['logHash'] => ({
  proofs: new LogProofs(sql, log),
  findPosition: (account, eventId) => findPosition(sql, account, eventId),
});

/** What is read of all that is stored. */
const wholeReads = (
  { connection, sql, clock }: Opened,
  {
    reads,
    directory,
    configuration,
    stopped,
  }: Pick<Service, 'reads' | 'directory' | 'configuration'> & {
    readonly stopped: AbortSignal;
  },
): Pick<Service, 'digest' | 'exportState' | 'placesOfUser' | 'verify'> => ({
  digest: (account) => storedDigest(connection, account),
  exportState: (account, at) => exportState({ ...reads, directory, countEvents: () => countEvents(sql) }, account, at),
  placesOfUser: (asked) => placesOfUser({ sql, ...reads, configuration }, asked),
  verify: (account, full, onProgress, onlyLog = false) => {
    const configurations = configuration;
    return verifyStored(connection, { account, full, onlyLog, clock, onProgress, configurations, stopped });
  },
});

async function hashLog({ sql, events }: Opened, log: PostgresLogReader): Promise<void> {
  if ((await readChain(sql)).position >= (await log.head())) return;
  events.onStep?.('hashing the log');
  await catchUpChain(sql, log);
}

/** Holds some seconds of the busiest service; outcomes are made a tenth of a second after their event. */
const RECENT_EVENTS_BYTES = 16 * 1024 * 1024;

/** Leaderboards are left out, because they show nothing of a single event and a stopped area would delay everything. */
const appliedByUsers = ({ head, areas }: EngineStatus): number =>
  Math.min(
    head,
    ...areas.filter(({ area, failure }) => area !== 'leaderboards' && failure === null).map(({ position }) => position),
  );

const ignore = (): void => undefined;
