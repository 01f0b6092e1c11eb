import type { AchievementQueries } from '@laurel/achievements';
import { observeStorage, PostgresConfigurationFiles, StorageUse, type ConfigurationFiles } from '@laurel/database';
import type { ReadDirectory } from '@laurel/directory';
import type { DecisionRecorder } from '@laurel/engine';
import type { EventStore } from '@laurel/event-store';
import type { ConfigurationHistory } from '@laurel/kernel';
import type { Directory } from '@laurel/ports';
import { addressOf, EVERY_SCHEMA, type ProcessFrame, schemaOf, SCHEMAS, serveCalls } from '@laurel/processes';
import { LastingFailures } from '@laurel/runtime';
import { watchPlaceholderUsers, type ServiceStatus } from '@laurel/schemas';
import type { UserQueries } from '@laurel/users';
import type { DataSource } from 'typeorm';
import { DistributedOperations } from '../operations/distributed-operations.ts';
import { openUserReads, type UserReadSides } from '../schemas/open-user-reads.ts';
import type { GatewayIntake } from './gateway-intake.ts';
import type { GatewayPublisher } from './gateway-publisher.ts';
import { observeGateway, type ObservedGateway } from './observe-gateway.ts';
import { openIngestionStores, type IngestionStores } from './open-ingestion-stores.ts';
import { openIntake } from './open-intake.ts';
import { openDecisions } from './open-decisions.ts';
import { openLogReads, type LogReads } from './open-log-reads.ts';
import { RECORD_WEBHOOK_CHANGE, recordsWebhookChanges } from './record-webhook-change.ts';
import { startLogLeader, type LogLeader } from './start-log-leader.ts';

/** Operations for the HTTP modules of an ingestion gateway. */
export interface IngestionGateway extends LogReads {
  readonly intake: GatewayIntake;
  /** Finds requests for points, and records the verdicts that the log lacks. */
  readonly decisions: DecisionRecorder;
  readonly publisher: GatewayPublisher;
  readonly configurationFiles: ConfigurationFiles;
  readonly operations: DistributedOperations;
  readonly directory: Directory;
  readonly users: UserQueries;
  readonly achievements: AchievementQueries;
  /** Reads for people, over small pools, so that applications never wait for them. */
  readonly bounded: Omit<UserReadSides, 'states'> & { readonly directory: ReadDirectory };
  readonly configuration: (account: string) => ConfigurationHistory;
  /** The schema of API keys. */
  readonly keys: DataSource;
  /** Records the events of API keys. */
  readonly keyLog: Pick<EventStore, 'readAccountEvents'> & Pick<GatewayIntake, 'recordKeyEvent'>;
}

/** @param heldBack called for each status; returns the configuration file that the start did not publish */
export async function openIngestionGateway(
  frame: ProcessFrame,
  account: string,
  heldBack: () => Pick<ServiceStatus, 'heldBackConfiguration'>,
): Promise<IngestionGateway> {
  const stores = await openIngestionStores(frame);
  const recording = openIntake(frame, stores);
  const { intake, publisher, watch } = recording;
  await publisher.restore(account);
  const decisions = openDecisions(frame, stores, intake);
  const leader = await serveAndLead(frame, stores, { intake, decisions }, account);
  const operations = await openOperations(frame, { ...recording, decisions, stores, leader }, heldBack);
  const { schema, keys, store, bounded, boundedDirectory, directory, configurations, reads } = stores;
  const warnOfPlaceholders = (users: readonly string[], text: string) => frame.logger.warn({ users }, text);
  const stopWatching = watchPlaceholderUsers(
    { directory, users: reads.users },
    account,
    frame.clock,
    warnOfPlaceholders,
  );
  frame.shutdown.register('placeholder users', stopWatching);
  const { states: _, ...boundedReads } = openUserReads(bounded, configurations);
  return {
    ...openLogReads(frame, stores, watch),
    intake,
    decisions,
    publisher,
    configurationFiles: new PostgresConfigurationFiles(schema.sql).readBy(bounded.reader(SCHEMAS.ingestion)),
    operations,
    directory,
    users: reads.users,
    achievements: reads.achievements,
    bounded: { ...boundedReads, directory: boundedDirectory },
    configuration: configurations.historyOf,
    keys,
    keyLog: {
      readAccountEvents: (name, types) => store.readAccountEvents(name, types),
      recordKeyEvent: (name, fact, at) => intake.recordKeyEvent(name, fact, at),
    },
  };
}

/** Answers the calls of other processes, and does the work of the leader while this gateway leads. */
async function serveAndLead(
  frame: ProcessFrame,
  stores: IngestionStores,
  { intake, decisions }: Pick<IngestionGateway, 'intake' | 'decisions'>,
  account: string,
): Promise<LogLeader> {
  const server = await serveCalls(frame, new Map([[RECORD_WEBHOOK_CHANGE, recordsWebhookChanges(intake)]]));
  frame.shutdown.register('calls of others', () => server.close());
  const address = addressOf({ host: frame.environment.advertisedHost, port: server.port });
  return startLogLeader({ frame, stores, intake, decisions, accounts: [account], address });
}

/** Health, metrics and status of the gateway. */
async function openOperations(
  frame: ProcessFrame,
  gateway: ObservedGateway & Pick<IngestionGateway, 'decisions'>,
  heldBack: () => Pick<ServiceStatus, 'heldBackConfiguration'>,
): Promise<DistributedOperations> {
  const { environment, clock, health, shutdown } = frame;
  const { stores, intake, decisions, watch, leader } = gateway;
  const { store, readers, reads, directory, configurations, imports } = stores;
  const storage = await openStorageUse(frame, stores);
  const background = new LastingFailures(
    [
      { name: 'sweeps', harm: 'what falls due is not settled', failingMs: () => leader.sweeper.failingMs },
      { name: 'verdicts', harm: 'requests for points stay undecided', failingMs: () => decisions.failingMs },
    ],
    frame,
  );
  shutdown.register('background', () => Promise.resolve(background.stop()));
  observeGateway(frame, gateway);
  return new DistributedOperations({
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
    historyOf: configurations.historyOf,
    importOpen: (account) => imports.isOpen(account),
    lane: () => intake.queueState(),
    heldBack,
  });
}

async function openStorageUse(
  { environment, clock, metrics }: ProcessFrame,
  { schema, store }: IngestionStores,
): Promise<StorageUse> {
  const storage = new StorageUse({
    sql: schema.sql,
    clock,
    tables: { schemas: EVERY_SCHEMA, names: null },
    records: environment.eventStoreUrl === null ? () => store.head() : null,
    space: null,
  });
  await storage.refresh();
  observeStorage(metrics, storage);
  return storage;
}
