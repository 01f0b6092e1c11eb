import { openRebuild } from '@laurel/rebuild';
import { LiveCorrections } from '@laurel/corrections';
import { placesOfUser } from '@laurel/erasures';
import { countEvents, exportState } from '@laurel/exports';
import { verifyStored, type StoredVerification } from '@laurel/verify';
import { Explainer } from '@laurel/explain';
import { LiveLog, causedEffects, type CausedParts, changedFinalRuns, runsOfRecords } from '@laurel/stored-effects';
import { MIGRATIONS, USER_AREAS, openReads, STORED_TABLES, storedDigest, type AreaReads } from '@laurel/all-areas';
import type { AdministrationPorts, KeyLog } from '@laurel/administration';
import { localDate } from '@laurel/calendar';
import { compileHistory } from '@laurel/configuration';
import { ACCOUNT, type Bound, type DamagedState, type SqlReader } from '@laurel/kernel';
import type { LiveReads, Clock, Corrections, Directory, FileSystemSpace } from '@laurel/ports';
import type { AreaStatus } from '@laurel/schemas';
import {
  assertTextIsSafe,
  BoundedReads,
  clientConfig,
  type ConfigurationFiles,
  type ConnectionOptions,
  dataSourceOf,
  migrate,
  PostgresConfigurationFiles,
  type ReadBounds,
  sqlReader,
  StorageUse,
} from '@laurel/database';
import { PostgresDirectory, type ReadDirectory } from '@laurel/directory';
import {
  LogProofs,
  catchUpChain,
  findPosition,
  readChain,
  LogWriter,
  PostgresLogReader,
  newEventId,
  refuseOldLog,
  type AdministrativeLog,
  type UserLog,
  type EventLog,
} from '@laurel/event-store';
import { deleteToldTops, LeaderboardsArea } from '@laurel/leaderboards';
import {
  Chain,
  type Digest,
  Engine,
  PostgresBatchStore,
  postgresStateReader,
  type QueueState,
  RecentEvents,
  removeAbandonedRebuild,
  positionsInPostgres,
  readDocuments,
  UserEvents,
} from '@laurel/engine';
import { OUTCOME_CURSORS, OutcomeReader, PostgresOutcomes, type OldestNeeded, type Outcomes } from '@laurel/outgoing';
import {
  profilesInMemory,
  UserSearchIndex,
  type UserSearchEvents,
  type UsersPlan,
  type UsersState,
} from '@laurel/users';
import type { DataSource } from 'typeorm';

/** The whole chain in one process: the engine, and the read side of each area. */
export interface Service extends AreaReads {
  readonly engine: Engine;
  readonly directory: Directory;
  readonly dataSource: DataSource;
  readonly log: EventLog & AdministrativeLog & UserLog;
  /** Over a small pool of its own, for what people ask: applications never wait for it. */
  readonly administrative: AreaReads;
  readonly bounded: BoundedService;
  readonly explain: Explainer;
  readonly live: LiveReads;
  readonly outcomes: Outcomes;
  /** Makes the outcomes that can be made now, without waiting for its turn. */
  readonly outcomeReader: Pick<OutcomeReader, 'catchUp' | 'caughtUp' | 'deleteOld' | 'failingMs'>;
  readonly corrections: LiveCorrections;
  readonly configurationFiles: ConfigurationFiles;
  readonly logHash: AdministrationPorts['logHash'];
  readonly storage: StorageUse;
  /** Not begun: whoever starts the service says whether it is on. */
  readonly userSearch: UserSearchIndex;
  /** A hash of everything that is stored, read from the tables. */
  digest(account: string): Promise<Digest>;
  /** The whole read models as JSON text, in pieces. */
  exportState(account: string, at: number): AsyncIterable<string>;
  /** Every place that holds something of a user, and what an erasure makes of it. */
  placesOfUser(asked: Parameters<typeof placesOfUser>[1]): ReturnType<typeof placesOfUser>;
  /**
   * Verifies what is stored (specification, section 11), and tells what it finds.
   * @param full whether every user is folded
   * @throws Error if the database cannot be read, or the service closes meanwhile
   */
  verify(
    account: string,
    full: boolean,
    onProgress: StoredVerification['onProgress'],
    onlyLog?: boolean,
  ): Promise<void>;
  close(): Promise<void>;
}

/** What else is read over the small pool. */
export interface BoundedService {
  readonly sql: SqlReader;
  readonly log: PostgresLogReader;
  readonly directory: ReadDirectory;
  readonly outcomes: Outcomes;
  readonly corrections: Pick<Corrections, 'preview'>;
  /** Who is signed in is asked with each request of a page: it does not wait for what pages read. */
  readonly lookUps: SqlReader;
  placesOfUser(asked: Parameters<typeof placesOfUser>[1]): ReturnType<typeof placesOfUser>;
}

export interface ServiceEvents {
  /** Called at the beginning of each step of the start. */
  readonly onStep?: (step: string) => void;
  readonly onAreaFailure: (area: string, position: number, error: unknown) => void;
  readonly onQueueState: (state: QueueState, error: unknown) => void;
  readonly onCommitted?: (commands: number, ms: number) => void;
  readonly onSweepFailure: (error: unknown) => void;
  /** Called once a user is erased, with the key under which outcomes know them. */
  readonly onErased?: (userKey: string) => void;
  readonly onDamagedState: (damage: DamagedState, error: unknown) => void;
  /** Outcomes could not be made; it is tried again. */
  readonly onOutcomesFailure: (error: unknown) => void;
  /** Asked before outcomes are deleted. */
  readonly oldestNeeded: OldestNeeded;
  readonly onUserSearch?: Partial<UserSearchEvents>;
}

/** Where the keys of a service record their events. */
export const keyLog = ({ engine, log }: Pick<Service, 'engine' | 'log'>): KeyLog => ({
  readAccountFacts: (account, types) => log.readAccountFacts(account, types),
  recordKeyFact: (account, fact, at) => engine.recordKeyFact(account, fact, at),
});

/**
 * @param space how much room the disk of the database has; null: that cannot be seen from here
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

/** Each finds one row by its hash. */
const LOOK_UPS: ReadBounds = { connections: 1, waitMs: 2_000, runMs: 2_000, mostWaiting: 256 };

/** An erasure counts all that there is of a user, which may be many rows. */
const COUNTING: ReadBounds = { connections: 1, waitMs: 60_000, runMs: 60_000, mostWaiting: 4 };

interface Opened {
  readonly connection: ConnectionOptions;
  readonly dataSource: DataSource;
  readonly sql: SqlReader;
  readonly writer: LogWriter;
  readonly clock: Clock;
  readonly events: ServiceEvents;
  readonly space: (() => Promise<FileSystemSpace>) | null;
}

async function assemble({ connection, dataSource, sql, writer, clock, events, space }: Opened): Promise<Service> {
  const config = clientConfig(connection);
  const boards = new LeaderboardsArea(sql);
  const chain = new Chain(USER_AREAS, boards, events.onAreaFailure);
  const directory = new PostgresDirectory(sql);
  const log = new PostgresLogReader(sql, directory);
  const reads = openReads(sql, boards, (account) => engine.historyOf(account));
  const bounded = new BoundedReads(connection);
  const lookUps = new BoundedReads(connection, LOOK_UPS);
  const counting = new BoundedReads(connection, COUNTING);
  const boundedDirectory = directory.readBy(bounded);
  const boundedLog = new PostgresLogReader(bounded, boundedDirectory);
  const administrative = openReads(bounded, boards, (account) => engine.historyOf(account));
  const explain = new Explainer({
    ...{ sqlOf: () => bounded, log: boundedLog, states: postgresStateReader(bounded), ...administrative },
    configurations: (account) => engine.historyOf(account),
  });
  if ((await readChain(sql)).position < (await log.head())) {
    events.onStep?.('hashing the log');
    await catchUpChain(sql, log);
  }
  const outcomes = new PostgresOutcomes(sql);
  const configurations = (account: string) => engine.historyOf(account);
  const recentEvents = new RecentEvents(RECENT_EVENTS_BYTES);
  const users: CausedParts['users'] = {
    zonesAt: (questions) => reads.users.zonesAt(questions),
    profiles: profilesInMemory(
      (user) => (engine.stateInMemory(user, 'users') as Bound<UsersState, UsersPlan> | undefined)?.state,
      (account, subjects) => reads.users.profiles(account, subjects),
    ),
  };
  const known = { idsOf: directory.idsInMemoryOf.bind(directory) };
  const stored = { sqlOf: () => sql, directory: known, ...reads, users, configurations, recentEvents };
  const outcomeReader = new OutcomeReader(
    {
      ...{ store: outcomes, clock, configurations },
      log: {
        read: async (after, limit) =>
          recentEvents.takeBehind(after, Math.min(after + limit, engine.status().head)) ?? log.read(after, limit),
        readAccountFacts: (account, types) => log.readAccountFacts(account, types),
        readAdministrativeBehind: (account, after, limit) => log.readAdministrativeBehind(account, after, limit),
        head: () => log.head(),
      },
      caused: (account, records, ranks) => causedEffects(stored, account, records, ranks),
      runs: (account, records, most) => runsOfRecords(stored, account, records, most),
      finalRuns: (account, asked, goesOn) => changedFinalRuns({ ...stored, log }, account, asked, goesOn),
      applied: () => appliedByAll(engine.status()),
      oldestNeeded: events.oldestNeeded,
      deleteTold: (goesOn) => deleteToldTops(sql, OUTCOME_CURSORS, goesOn),
      onFailure: events.onOutcomesFailure,
    },
    ACCOUNT,
  );
  events.onStep?.('catching up with the log');
  const engine = await Engine.start(
    {
      store: new PostgresBatchStore(writer, sql, directory, chain.tables),
      log,
      chain,
      clock,
      userEvents: new UserEvents(positionsInPostgres(sql), log),
      newEventId,
      originalDates: async (keys) => {
        const zones = await reads.users.zonesAt(
          keys.map(({ account, subject, position }) => ({ account, subject, position })),
        );
        return keys.map(({ occurredAt }, index) => localDate(occurredAt, zones[index] ?? 'UTC'));
      },
      compileHistory,
      openRebuild: (areas) => openRebuild({ config, writer, log }, areas),
      recentEvents,
      onQueueState: events.onQueueState,
      onSweepFailure: events.onSweepFailure,
      onDamagedState: events.onDamagedState,
      onErased: (user) => {
        directory.forget(user);
        explain.forget(user);
        // First the outcomes, so that none becomes a delivery once those of the user have gone.
        void outcomeReader.forget(user).then(() => events.onErased?.(String(user.subject)));
      },
      onCommitted: (commands, ms) => {
        outcomeReader.wake();
        events.onCommitted?.(commands, ms);
      },
    },
    [ACCOUNT],
  );
  const tables = { schemas: null, names: STORED_TABLES };
  const storage = new StorageUse({ sql, clock, tables, records: () => engine.status().head, space });
  await storage.refresh();
  const { onProgress = ignore, onFailure = ignore } = events.onUserSearch ?? {};
  const userSearch = new UserSearchIndex(sql, clock, { onProgress, onFailure });
  const closing = new AbortController();
  const corrections = new LiveCorrections({ engine, log, clock });
  const configuration = (account: string) => engine.historyOf(account);
  outcomeReader.begin();
  return {
    engine,
    directory,
    dataSource,
    log,
    logHash: {
      proofs: new LogProofs(sql, log),
      findPosition: (account, eventId) => findPosition(sql, account, eventId),
    },
    storage,
    userSearch,
    configurationFiles: new PostgresConfigurationFiles(sql).readBy(bounded),
    ...reads,
    administrative,
    bounded: {
      ...{ sql: bounded, log: boundedLog, directory: boundedDirectory, outcomes: outcomes.readBy(bounded) },
      corrections: corrections.previewsBy({
        log: boundedLog,
        user: {
          events: new UserEvents(positionsInPostgres(bounded), boundedLog),
          documents: { loadDocuments: (users) => readDocuments(bounded, users) },
        },
      }),
      lookUps,
      placesOfUser: (asked) => placesOfUser({ sql: counting, ...administrative, configuration }, asked),
    },
    explain,
    live: new LiveLog({
      ...{ sqlOf: () => bounded, log: boundedLog, directory: boundedDirectory },
      configurations: (account) => engine.historyOf(account),
      applied: () => Promise.resolve(appliedByUsers(engine.status())),
    }),
    outcomes,
    outcomeReader,
    corrections,
    digest: (account) => storedDigest(connection, account),
    exportState: (account, at) =>
      exportState({ ...reads, directory, countEvents: () => countEvents(sql) }, account, at),
    placesOfUser: (asked) => placesOfUser({ sql, ...reads, configuration }, asked),
    verify: (account, full, onProgress, onlyLog = false) =>
      verifyStored(connection, {
        onlyLog,
        ...{ account, full, clock, onProgress, stopped: closing.signal },
        configurations: (name) => engine.historyOf(name),
      }),
    close: async () => {
      closing.abort(new Error('the service is closing'));
      await userSearch.close();
      await outcomeReader.close();
      await engine.close();
      await writer.close();
      await Promise.all([bounded, lookUps, counting].map((pool) => pool.close()));
      await dataSource.destroy();
    },
  };
}

/** Room for some seconds of the busiest service: the outcomes of an event are made a tenth of a second after it. */
const RECENT_EVENTS_BYTES = 16 * 1024 * 1024;

/** Those of the boards show nothing of a single event; an area that has halted would hold everything back. */
const appliedByUsers = ({ head, areas }: { readonly head: number; readonly areas: readonly AreaStatus[] }): number =>
  areas.reduce((least, { area, position, failure }) => {
    return area === 'leaderboards' || failure !== null ? least : Math.min(least, position);
  }, head);

/** Outcomes wait for all: also for an area that has halted. */
const appliedByAll = ({ head, areas }: { readonly head: number; readonly areas: readonly AreaStatus[] }): number =>
  areas.reduce((least, { position }) => Math.min(least, position), head);

const ignore = (): void => undefined;
