import { assertReadable, USER_AREAS } from '@laurel/all-areas';
import { PostgresDirectory, type ReadDirectory } from '@laurel/directory';
import { decodeEffect } from '@laurel/engine';
import type { PartitionHandler, StreamConsumer } from '@laurel/event-stream';
import type { ConfigurationHistory } from '@laurel/kernel';
import { BoardClient, RemoteLeaderboards } from '@laurel/partitioned-boards';
import { TOPICS, type Directory } from '@laurel/ports';
import {
  addressOf,
  type FollowedErasures,
  followConfigurations,
  followErasures,
  type GatewayConfigurations,
  keepClaims,
  markMembership,
  openCalls,
  PartitionOwners,
  readIfPresent,
  partitionOwnersMigrations,
  type ProcessFrame,
  REFRESH_CONFIGURATIONS,
  REFRESH_ERASURES,
  schemaOf,
  type SchemaReaders,
  SCHEMAS,
  serveCalls,
  watchMembership,
} from '@laurel/processes';
import { lastingFailure } from '@laurel/runtime';
import type { DataSource } from 'typeorm';
import { Correlator, PostgresProcessedOffsets, answerHandlers, view } from '../answers/index.ts';
import { servicesHealth, watchChain } from '../operations/watch-chain.ts';
import { openGatewayDatabase, type GatewayDatabase } from '../schemas/open-gateway-database.ts';
import { openUserReads, type UserReadSides } from '../schemas/open-user-reads.ts';
import { openExplainReads, type OpenExplainReads } from './open-explain-reads.ts';

const GROUP = 'laurel.query-gateway';
/** Callers wait for seconds. A new owner of a partition reads back as far as a caller may still be waiting. */
const EFFECTS_FROM_MS = 30_000;

interface ReadSides extends Omit<UserReadSides, 'states'> {
  readonly leaderboards: RemoteLeaderboards;
}

/** Operations for the HTTP modules of a query gateway. */
export interface QueryGateway extends ReadSides {
  readonly directory: Directory;
  /** Reads for people, over small pools, so that applications never wait for them. */
  readonly bounded: ReadSides & { readonly directory: ReadDirectory };
  readonly explain: OpenExplainReads['explain'];
  readonly configuration: (account: string) => ConfigurationHistory;
  /** Whether any configuration was published: until then `configuration` throws. */
  readonly isConfigured: () => boolean;
  /** The schema of API keys. */
  readonly keys: DataSource;
}

export async function openQueryGateway(frame: ProcessFrame): Promise<QueryGateway> {
  const database = await openGatewayDatabase(frame, SCHEMAS.query, partitionOwnersMigrations);
  const { schema, keys, readers, bounded } = database;
  const configurations = await followConfigurations(frame, schema.sql);
  const directory = new PostgresDirectory(readers.reader(SCHEMAS.ingestion));
  const boundedDirectory = directory.readBy(bounded.reader(SCHEMAS.ingestion));
  const { explain, forget } = openExplainReads({ readers: bounded, dataKeys: boundedDirectory, configurations });
  const erasures = await followErasures(frame, readers.reader(SCHEMAS.ingestion), {
    forget: (user) => {
      directory.forget(user);
      forget(user);
    },
  });
  const boards = new BoardClient(openCalls(frame, readers).calls, frame.environment.partitions);
  const readSides = (from: SchemaReaders) => {
    const sql = from.reader(schemaOf('leaderboards'));
    const leaderboards = new RemoteLeaderboards({ boards, sql, configurations: configurations.historyOf });
    return { ...openUserReads(from, configurations), leaderboards };
  };
  const { states, ...reads } = readSides(readers);
  const { states: _, ...boundedReads } = readSides(bounded);
  await startAnswers(frame, { ...database, configurations, erasures, states, boards });
  return {
    ...reads,
    directory,
    bounded: { ...boundedReads, directory: boundedDirectory },
    explain,
    configuration: configurations.historyOf,
    isConfigured: () => configurations.any,
    keys,
  };
}

interface AnswerDependencies extends GatewayDatabase, Pick<UserReadSides, 'states'> {
  readonly configurations: GatewayConfigurations;
  readonly erasures: FollowedErasures;
  readonly boards: BoardClient;
}

/** Gathers the effects of events, and answers ingestion gateways, for as long as the process runs. */
async function startAnswers(frame: ProcessFrame, dependencies: AnswerDependencies): Promise<void> {
  const { environment, clock, logger, shutdown, stream } = frame;
  const { schema, configurations, erasures, states, boards } = dependencies;
  const correlator = new Correlator({
    applied: new PostgresProcessedOffsets(schema.statements),
    clock,
    onFailure: lastingFailure(logger, clock, 'could not read the checkpoints of the services'),
  });
  const viewDependencies = { userAreas: USER_AREAS, states, boards, configurations: configurations.historyOf };
  const server = await serveCalls(
    frame,
    new Map([
      ...answerHandlers({ correlator, view: (request) => view(viewDependencies, request) }),
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
    effectsHandler(correlator, owners, address, counts),
  );
  shutdown.register('effects', () => {
    // Refuses waiting callers, so that they ask the next owner at once.
    correlator.own([]);
    return consumer.close();
  });
  keepClaims(frame, owners, () => consumer.assigned, address);
  observe(frame, dependencies, consumer, counts);
}

interface Counts {
  effects: number;
  assignments: number;
}

const effectsHandler = (
  correlator: Correlator,
  owners: PartitionOwners,
  address: string,
  counts: Counts,
): PartitionHandler => ({
  onAssigned: async (assigned) => {
    correlator.own(assigned);
    await owners.claim(assigned, address);
    counts.assignments++;
  },
  onBatch: ({ partition, messages }) => {
    correlator.take(
      partition,
      messages.map(({ value }) => decodeEffect(value)),
    );
    counts.effects += messages.length;
    return Promise.resolve((messages.at(-1)?.offset ?? -1) + 1);
  },
});

function observe(
  frame: ProcessFrame,
  { schema, readers, configurations }: AnswerDependencies,
  consumer: StreamConsumer,
  counts: Counts,
): void {
  const { health, metrics } = frame;
  const isMember = () => consumer.assigned !== null;
  watchMembership(frame, [{ group: GROUP, isMember }]);
  markMembership(frame, frame.name, isMember);
  const watch = watchChain(frame, { sql: schema.sql, head: null });
  health.register('services', () => servicesHealth(watch));
  health.register('database', async () => {
    // A service that has never started has no tables.
    await assertReadable((area) => ({ query: (text) => readIfPresent(readers.reader(schemaOf(area)), text) }));
    return { ok: true };
  });
  health.register('configuration', () => ({ ok: configurations.any }));
  // Not ready until the process was in the group once, because it cannot answer before. Later, reads work without the
  // stream.
  health.register('effects', () => ({
    ok: counts.assignments > 0,
    detail: { partitions: consumer.assigned?.length ?? null },
  }));
  metrics.observe('laurel_effects_total', 'Effects that came in since the start.', () => counts.effects);
  metrics.observe('laurel_partitions_assigned', 'Partitions owned.', () => consumer.assigned?.length ?? 0);
}
