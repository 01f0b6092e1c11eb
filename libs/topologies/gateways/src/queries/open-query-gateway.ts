import { assertReadable, USER_AREAS } from '@laurel/all-areas';
import { decodeEffect } from '@laurel/engine';
import type { ConfigurationHistory, SqlReader } from '@laurel/kernel';
import { TOPICS, type Directory } from '@laurel/ports';
import { databaseMigrations } from '@laurel/database';
import { PostgresDirectory, type ReadDirectory } from '@laurel/directory';
import type { PartitionHandler } from '@laurel/event-stream';
import type { DataSource } from 'typeorm';
import { readIfThere } from '@laurel/chain';
import { BoardClient, RemoteLeaderboards } from '@laurel/partitioned-boards';
import {
  addressOf,
  BoundedSchemaReaders,
  followErasures,
  GatewayConfigurations,
  keepClaims,
  markMembership,
  openCalls,
  openSchema,
  PartitionOwners,
  partitionOwnersMigrations,
  type ProcessFrame,
  REFRESH_CONFIGURATIONS,
  REFRESH_ERASURES,
  schemaOf,
  SchemaReaders,
  SCHEMAS,
  serveCalls,
  watchMembership,
} from '@laurel/processes';
import { lastingFailure } from '@laurel/runtime';
import { Gatherer, PostgresAppliedTrails, answerHandlers, view } from '../answers/index.ts';
import { servicesHealth, watchChain } from '../operations/watch-chain.ts';
import { openUserReads, type UserReadSides } from '../schemas/open-user-reads.ts';
import { openExplainReads, type OpenExplainReads } from './open-explain-reads.ts';

const GROUP = 'laurel.query-gateway';
/** Callers wait for seconds; who takes a partition over reads as far back as somebody may still be waiting. */
const EFFECTS_FROM_MS = 30_000;

/** A service that has never started has no tables. */
const ifThere = (sql: SqlReader): SqlReader => ({ query: (text) => readIfThere(sql, text) });

/** What the doors of a query gateway stand in front of. */
export interface QueryGateway extends Omit<UserReadSides, 'states'> {
  readonly directory: Directory;
  readonly leaderboards: RemoteLeaderboards;
  /** Over small pools of their own, for what people ask: applications never wait for it. */
  readonly bounded: Omit<UserReadSides, 'states'> & {
    readonly directory: ReadDirectory;
    readonly leaderboards: RemoteLeaderboards;
  };
  readonly explain: OpenExplainReads['explain'];
  readonly configuration: (account: string) => ConfigurationHistory;
  /** Whether any configuration was published: until then `configuration` throws. */
  readonly isConfigured: () => boolean;
  /** Of the schema of API keys. */
  readonly keys: DataSource;
}

export async function openQueryGateway(frame: ProcessFrame): Promise<QueryGateway> {
  const { environment, clock, logger, shutdown, health, metrics, stream } = frame;
  const { partitions } = environment;
  const schema = await openSchema(environment.database, SCHEMAS.query, partitionOwnersMigrations);
  shutdown.register('database', () => schema.close());
  const keys = await openSchema(environment.database, SCHEMAS.keys, databaseMigrations);
  shutdown.register('keys', () => keys.close());
  const readers = new SchemaReaders(environment.database);
  shutdown.register('reads', () => readers.close());
  const bounded = new BoundedSchemaReaders(environment.database);
  shutdown.register('bounded reads', () => bounded.close());
  const configurations = new GatewayConfigurations(schema.sql, `${SCHEMAS.ingestion}.publications`, clock);
  await configurations.follow(lastingFailure(logger, clock, 'could not read publications'));
  shutdown.register('publications', () => configurations.stop());

  const directory = new PostgresDirectory(readers.reader(SCHEMAS.ingestion));
  const boundedDirectory = directory.readBy(bounded.reader(SCHEMAS.ingestion));
  const { explain, forget } = openExplainReads({
    sqlOf: (name) => bounded.reader(name),
    dataKeys: boundedDirectory,
    configurations,
  });
  const erasures = await followErasures(frame, readers.reader(SCHEMAS.ingestion), {
    forget: (user) => {
      directory.forget(user);
      forget(user);
    },
  });
  const { calls } = openCalls(frame, readers);
  const historyOf = (account: string) => configurations.historyOf(account);
  const { states, ...reads } = openUserReads((name) => readers.reader(name), historyOf);
  const { states: _, ...boundedReads } = openUserReads((name) => bounded.reader(name), historyOf);
  const boards = new BoardClient(calls, partitions);
  const gatherer = new Gatherer({
    applied: new PostgresAppliedTrails(schema.statements),
    clock,
    onFailure: lastingFailure(logger, clock, 'could not read the checkpoints of the services'),
  });
  const handlers = answerHandlers({
    gatherer,
    view: (question) => view({ userAreas: USER_AREAS, states, boards, configurations: historyOf }, question),
  });
  const server = await serveCalls(
    frame,
    new Map([
      ...handlers,
      [REFRESH_CONFIGURATIONS, () => configurations.refresh()],
      [REFRESH_ERASURES, () => erasures.refresh()],
    ]),
  );
  shutdown.register('answers', () => server.close());
  const address = addressOf({ host: environment.advertisedHost, port: server.port });
  const counts = { effects: 0, assignments: 0 };
  const owners = new PartitionOwners(schema.sql, TOPICS.effects);
  const consumer = await stream.consume(
    { topic: TOPICS.effects, group: GROUP, from: { agoMs: EFFECTS_FROM_MS }, concurrency: 4 },
    effectsHandler(gatherer, owners, address, counts),
  );
  shutdown.register('effects', () => {
    // Callers that still wait are sent on to the next owner at once.
    gatherer.own([]);
    return consumer.close();
  });
  keepClaims(frame, owners, () => consumer.assigned, address);
  watchMembership(frame, [{ group: GROUP, isMember: () => consumer.assigned !== null }]);

  markMembership(frame, frame.name, () => consumer.assigned !== null);
  const watch = watchChain(frame, { sql: schema.sql, head: null });
  health.register('services', () => servicesHealth(watch));
  health.register('database', async () => {
    await assertReadable((area) => ifThere(readers.reader(schemaOf(area))));
    return { ok: true };
  });
  health.register('configuration', () => ({ ok: configurations.any }));
  // Before it has ever been in the group nobody can be answered; later, reads go on without the stream.
  health.register('effects', () => ({
    ok: counts.assignments > 0,
    detail: { partitions: consumer.assigned?.length ?? null },
  }));
  metrics.observe('laurel_effects_total', 'Effects that came in since the start.', () => counts.effects);
  metrics.observe('laurel_partitions_assigned', 'Partitions owned.', () => consumer.assigned?.length ?? 0);

  const leaderboardsBy = (sql: SqlReader) => new RemoteLeaderboards({ boards, sql, configurations: historyOf });
  return {
    ...reads,
    directory,
    leaderboards: leaderboardsBy(readers.reader(schemaOf('leaderboards'))),
    bounded: {
      ...boundedReads,
      directory: boundedDirectory,
      leaderboards: leaderboardsBy(bounded.reader(schemaOf('leaderboards'))),
    },
    explain,
    configuration: historyOf,
    isConfigured: () => configurations.any,
    keys: keys.dataSource,
  };
}

const effectsHandler = (
  gatherer: Gatherer,
  owners: PartitionOwners,
  address: string,
  counts: { effects: number; assignments: number },
): PartitionHandler => ({
  onAssigned: async (assigned) => {
    gatherer.own(assigned);
    await owners.claim(assigned, address);
    counts.assignments++;
  },
  onBatch: ({ partition, messages }) => {
    gatherer.take(
      partition,
      messages.map(({ value }) => decodeEffect(value)),
    );
    counts.effects += messages.length;
    return Promise.resolve((messages.at(-1)?.offset ?? -1) + 1);
  },
});
