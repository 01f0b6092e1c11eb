import { Exports, logInOrder, ToldReads } from '@laurel/exports';
import { verifyOnlyLog, type StoredVerification } from '@laurel/verify';
import { storedSections } from '@laurel/stored-effects';
import { USER_AREAS } from '@laurel/all-areas';
import type { ConfigurationHistory, SqlReader } from '@laurel/kernel';
import type { DataKeys, Directory, LiveReads } from '@laurel/ports';
import { watchPlaceholderUsers, type ServiceStatus } from '@laurel/schemas';
import {
  databaseMigrations,
  observeStorage,
  PostgresConfigurationFiles,
  StorageUse,
  type ConfigurationFiles,
} from '@laurel/database';
import type { AchievementQueries } from '@laurel/achievements';
import type { UserQueries } from '@laurel/users';
import type { DataSource } from 'typeorm';
import { PostgresDirectory, type ReadDirectory } from '@laurel/directory';
import {
  COPIED_LOG,
  LOG,
  LogProofs,
  PostgresLogReader,
  findPosition,
  type AdministrativeLog,
  type EventStore,
} from '@laurel/event-store';
import { partitionOf } from '@laurel/event-stream';
import {
  addressOf,
  announce,
  assertComplete,
  BoundedSchemaReaders,
  EVERY_SCHEMA,
  followErasures,
  GatewayConfigurations,
  INGESTION_MIGRATIONS,
  onceComplete,
  openCalls,
  openSchema,
  type ProcessFrame,
  readCopiedLog,
  REFRESH_CONFIGURATIONS,
  REFRESH_ERASURES,
  schemaOf,
  SchemaReaders,
  SCHEMAS,
  serveCalls,
} from '@laurel/processes';
import { LastingFailures, lastingFailure } from '@laurel/runtime';
import { AnswerClient, PostgresAppliedPositions, viewUser, waitUntilApplied } from '../answers/index.ts';
import { openLiveReads } from '../live/open-live-reads.ts';
import { DistributedOperations, storedLeaderboards } from '../operations/distributed-operations.ts';
import { verifyDistributed } from '../operations/verify-distributed.ts';
import { watchChain } from '../operations/watch-chain.ts';
import { openUserReads, type UserReadSides } from '../schemas/open-user-reads.ts';
import { appliedOutcomes, type AppliedOutcomesParts } from './applied-outcomes.ts';
import { decideCommands } from './decide-commands.ts';
import { gatewayErasures, type GatewayErasures } from './erasures.ts';
import { ErasingEventStore } from './erasing-event-store.ts';
import { GatewayIntake } from './gateway-intake.ts';
import { GatewayPublisher } from './gateway-publisher.ts';
import { Imports } from './imports.ts';
import { observeGateway } from './observe-gateway.ts';
import { ReceiptBacklog } from './receipt-backlog.ts';
import { RECORD_WEBHOOK_CHANGE, recordsWebhookChanges } from './record-webhook-change.ts';
import { viewReplay, type PlaceOfUser, type ReplayViewOptions } from './replay-view.ts';
import { openEventStore } from './open-event-store.ts';
import { OwedAwards } from './owed-awards.ts';
import { startLogLeader } from './start-log-leader.ts';

/** What the doors of an ingestion gateway stand in front of. */
export interface IngestionGateway {
  readonly intake: GatewayIntake;
  readonly publisher: GatewayPublisher;
  readonly configurationFiles: ConfigurationFiles;
  readonly operations: DistributedOperations;
  readonly directory: Directory;
  readonly users: UserQueries;
  readonly streaks: UserReadSides['streaks'];
  readonly achievements: AchievementQueries;
  readonly points: UserReadSides['points'];
  /** Over small pools of their own, for what people ask: applications never wait for it. */
  readonly bounded: Omit<UserReadSides, 'states'> & { readonly directory: ReadDirectory };
  readonly configuration: (account: string) => ConfigurationHistory;
  /** Of the schema of API keys. */
  readonly keys: DataSource;
  /** Where the events of keys are recorded. */
  readonly keyLog: Pick<EventStore, 'readAccountFacts'> & Pick<GatewayIntake, 'recordKeyFact'>;
  readonly administrativeLog: Pick<AdministrativeLog, 'readAdministrative'>;
  readonly live: LiveReads;
  readonly erasures: GatewayErasures;
  readonly exports: Exports;
  readonly events: ReturnType<typeof logInOrder>;
  /**
   * Verifies what is stored, and tells what it finds.
   * @throws Error if an area does not come to the end of the log, the database cannot be read, or the process stops meanwhile
   */
  readonly verify: (
    account: string,
    asked: Pick<StoredVerification, 'full' | 'onlyLog'>,
    onProgress: StoredVerification['onProgress'],
  ) => Promise<void>;
  readonly logHash: {
    readonly proofs: LogProofs;
    readonly findPosition: (account: string, eventId: string) => Promise<number | null>;
  };
}

/** @param heldBack asked at each status: the configuration file that the start held back */
export async function openIngestionGateway(
  frame: ProcessFrame,
  account: string,
  heldBack: () => Pick<ServiceStatus, 'heldBackConfiguration'>,
): Promise<IngestionGateway> {
  const { environment, clock, logger, shutdown, health, metrics } = frame;
  const schema = await openSchema(environment.database, SCHEMAS.ingestion, INGESTION_MIGRATIONS);
  shutdown.register('database', () => schema.close());
  const keys = await openSchema(environment.database, SCHEMAS.keys, databaseMigrations);
  shutdown.register('keys', () => keys.close());
  const readers = new SchemaReaders(environment.database);
  shutdown.register('reads', () => readers.close());
  const directory = new PostgresDirectory(schema.sql);
  const { calls, clients, owners } = openCalls(frame, readers);
  const { store, copy } = await openEventStore(environment.eventStoreUrl, schema, clock, directory, (users) => {
    for (const user of users) directory.forget(user);
    void announce(REFRESH_ERASURES, owners, clients);
  });
  const tables = copy === null ? LOG : COPIED_LOG;
  const readLog = (sql: SqlReader, keys: DataKeys): PostgresLogReader =>
    copy === null ? new PostgresLogReader(sql, keys) : readCopiedLog(sql, keys);
  const log = readLog(schema.sql, directory);
  await followErasures(frame, schema.sql, {
    forget: (user) => {
      directory.forget(user);
      if (store instanceof ErasingEventStore) store.forget(user);
    },
  });
  shutdown.register('event store', () => store.close());
  const configurations = new GatewayConfigurations(schema.sql, 'publications', clock);
  await configurations.follow(lastingFailure(logger, clock, 'could not read publications'));
  shutdown.register('publications', () => configurations.stop());

  const configuration = (name: string) => configurations.historyOf(name);
  const reads = openUserReads((name) => readers.reader(name), configuration);
  const bounded = new BoundedSchemaReaders(environment.database);
  shutdown.register('bounded reads', () => bounded.close());
  const { states: _, ...boundedReads } = openUserReads((name) => bounded.reader(name), configuration);
  const boundedDirectory = directory.readBy(bounded.reader(SCHEMAS.ingestion));
  const imports = new Imports(schema.sql);
  const { answerLimitMs, partitions } = environment;
  const watch = watchChain(frame, { sql: schema.sql, head: () => store.head() });
  const unanswered = lastingFailure(logger, clock, 'no query gateway answered in time: answers to events are pending');
  const answers = new AnswerClient(calls, partitions, clock, unanswered);
  const positions = new PostgresAppliedPositions(schema.statements);
  const notApplied = lastingFailure(logger, clock, 'could not read the checkpoints of the services; retrying');
  const applied = ({ account: name, subject, position }: PlaceOfUser, limitMs: number) =>
    waitUntilApplied(
      { applied: positions, clock, onFailure: notApplied },
      { partition: partitionOf(name, subject, partitions), position },
      limitMs,
    );
  const backlog = new ReceiptBacklog({
    clock,
    appliedPosition: () => watch.appliedPosition(),
    limitMs: answerLimitMs,
    onFailure: notApplied,
  });
  const awards = new OwedAwards({
    userAreas: USER_AREAS,
    users: reads.users,
    configuration: (name) => configuration(name).current,
    clock,
  });
  const viewOfUser: ReplayViewOptions['viewUser'] = (request, current) =>
    viewUser({ userAreas: USER_AREAS, states: reads.states }, request, current);
  const stored: AppliedOutcomesParts = {
    positions,
    partitionOf: ({ account: name, fact: { subject } }) => partitionOf(name, subject, partitions),
    storedSections: (name, some) =>
      storedSections(
        { sqlOf: (area) => readers.reader(schemaOf(area)), states: reads.states, configurations: configuration },
        name,
        some,
      ),
    clock,
    onFailure: notApplied,
  };
  const intake = new GatewayIntake({
    store,
    logHead: () => store.head(),
    configurations,
    answers,
    appliedOutcomes: (records, limitMs) => appliedOutcomes(stored, records, limitMs),
    viewReplay: (command, original, current) =>
      viewReplay(
        { answers, viewUser: viewOfUser, applied, users: reads.users, clock, answerLimitMs },
        command,
        original,
        current,
      ),
    imports,
    decide: (commands) => decideCommands(commands, { users: reads.users, store, imports, watch, awards, clock }),
    backlog,
    pendingNow: async (limitMs) => watch.pendingAt(await store.head(), limitMs),
    clock,
    answerLimitMs,
    onRecorded: (recorded) => publisher.sawEvent(recorded),
    onFenced: () => {
      logger.fatal('a standalone service has taken over the event log; this gateway may not write to it any more');
      process.exit(1);
    },
  });
  const publisher = new GatewayPublisher({
    store,
    configurations,
    dataSource: schema.dataSource,
    clock,
    announce: () => announce(REFRESH_CONFIGURATIONS, owners, clients),
  });
  await publisher.restore(account);
  const server = await serveCalls(frame, new Map([[RECORD_WEBHOOK_CHANGE, recordsWebhookChanges(intake)]]));
  shutdown.register('calls of others', () => server.close());
  const leader = await startLogLeader({
    address: addressOf({ host: environment.advertisedHost, port: server.port }),
    frame,
    schema,
    store,
    copy,
    // Hashed as far as it is copied.
    hashed: new PostgresLogReader(schema.sql, directory, tables),
    dataKeys: directory,
    intake,
    imports,
    configurations,
    accounts: [account],
  });

  const warnOfPlaceholders = (users: readonly string[], text: string) => logger.warn({ users }, text);
  const placeholders = { directory, users: reads.users };
  shutdown.register('placeholder users', watchPlaceholderUsers(placeholders, account, clock, warnOfPlaceholders));

  const storage = new StorageUse({
    sql: schema.sql,
    clock,
    tables: { schemas: EVERY_SCHEMA, names: null },
    records: environment.eventStoreUrl === null ? () => store.head() : null,
    space: null,
  });
  await storage.refresh();
  observeStorage(metrics, storage);

  const background = new LastingFailures(
    [{ name: 'sweeps', harm: 'what falls due is not settled', failingMs: () => leader.sweeper.failingMs }],
    frame,
  );
  shutdown.register('background', () => Promise.resolve(background.stop()));
  observeGateway(frame, { sql: schema.sql, store, intake, backlog, leader, watch });

  const closing = new AbortController();
  shutdown.register('verification', () => Promise.resolve(closing.abort(new Error('the process is stopping'))));
  const verified = {
    ...{ connection: schema.connection, sql: schema.sql, log, tables, configurations, clock },
    head: () => log.head(),
    pendingAt: (position: number, limitMs: number) => watch.pendingAt(position, limitMs),
    ...(copy !== null && { original: store }),
  };

  const boundedLog = readLog(bounded.reader(SCHEMAS.ingestion), boundedDirectory);
  /** Whoever was told that something is recorded finds it in the copy, though it may not be published yet. */
  const bringUpToDate = async (): Promise<void> => copy?.bringUpToDate();
  return {
    intake,
    publisher,
    configurationFiles: new PostgresConfigurationFiles(schema.sql).readBy(bounded.reader(SCHEMAS.ingestion)),
    operations: new DistributedOperations({
      server: environment.database,
      watch,
      background,
      leaderboardSql: readers.reader(schemaOf('leaderboards')),
      reads,
      directory,
      log: store,
      clock,
      health,
      storage,
      historyOf: configuration,
      importOpen: (name) => imports.isOpen(name),
      lane: () => intake.lane(),
      heldBack,
    }),
    directory,
    users: reads.users,
    streaks: reads.streaks,
    achievements: reads.achievements,
    points: reads.points,
    bounded: { ...boundedReads, directory: boundedDirectory },
    configuration,
    keys: keys.dataSource,
    exports: new Exports({
      ...reads,
      // Positions of EventStoreDB lie far apart: a window of so many of them would hold hardly an event of the user.
      log:
        copy === null
          ? log
          : { read: (after, limit) => log.read(after, limit), head: () => bringUpToDate().then(() => log.head()) },
      ...{ directory, configuration, clock, told: new ToldReads(readers.reader(SCHEMAS.outgoing)) },
      leaderboards: storedLeaderboards(readers.reader(schemaOf('leaderboards')), configuration),
    }),
    erasures: gatewayErasures({
      ...{ connection: schema.connection, tables, directory, imports, configuration, clock },
      assertCountable: async () => (copy === null ? undefined : assertComplete(schema.sql)),
      leaderboards: storedLeaderboards(readers.reader(schemaOf('leaderboards')), configuration),
    }),
    verify: async (name, { full, onlyLog }, onProgress) => {
      const stopped = closing.signal;
      if (copy !== null) await assertComplete(schema.sql);
      if (onlyLog && copy !== null) return verifyOnlyLog(schema.sql, store, { onProgress, stopped });
      await verifyDistributed(verified, { account: name, full, onProgress, stopped, ...(onlyLog && { onlyLog }) });
    },
    logHash: {
      proofs: new LogProofs(schema.sql, log),
      findPosition: (name, eventId) =>
        findPosition(copy === null ? schema.sql : onceComplete(schema.sql), name, eventId, tables),
    },
    administrativeLog: {
      readAdministrative: async (name, before, limit) => {
        await bringUpToDate();
        return boundedLog.readAdministrative(name, before, limit);
      },
    },
    live: openLiveReads({
      sqlOf: (name) => bounded.reader(name),
      ...{ log: boundedLog, tables, directory: boundedDirectory, configurations, partitions },
    }),
    events: logInOrder({ log: boundedLog, directory: boundedDirectory }),
    keyLog: {
      readAccountFacts: (name, types) => store.readAccountFacts(name, types),
      recordKeyFact: (name, fact, at) => intake.recordKeyFact(name, fact, at),
    },
  };
}
