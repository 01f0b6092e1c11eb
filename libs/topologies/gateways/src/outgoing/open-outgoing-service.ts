import { causedEffects, changedFinalRuns, runsOfRecords } from '@laurel/stored-effects';
import {
  madeTypes,
  StoreUnavailableError,
  type AreaName,
  type LogRecord,
  type OutcomeType,
  type SqlReader,
} from '@laurel/kernel';
import { OUTCOMES_TOPIC } from '@laurel/ports';
import { clientConfig, databaseMigrations, webhookMigrations } from '@laurel/database';
import { PostgresDirectory } from '@laurel/directory';
import { Leadership } from '@laurel/engine';
import { PostgresLogReader } from '@laurel/event-store';
import type { TopicRetention } from '@laurel/event-stream';
import {
  OutcomeReader,
  outgoingMigrations,
  PostgresOutcomes,
  type OutcomeReaderParts,
  type Outcomes,
} from '@laurel/outgoing';
import { LastingFailures, lastingFailure } from '@laurel/runtime';
import type { DataSource } from 'typeorm';
import {
  addressOf,
  BoundedSchemaReaders,
  followErasures,
  GatewayConfigurations,
  InternalClients,
  openSchema,
  OwnerDirectory,
  PartitionOwners,
  partitionOwnersMigrations,
  type ProcessFrame,
  readCopiedLog,
  type SchemaName,
  schemaOf,
  SchemaReaders,
  SCHEMAS,
} from '@laurel/processes';
import { PostgresAppliedPositions } from '../answers/index.ts';
import { recordByGateway } from '../ingestion/record-webhook-change.ts';
import { knownLateRecords } from '../ingestion/kept-erasures.ts';
import { openUserReads } from '../schemas/open-user-reads.ts';
import { OutcomeTopic, outcomeTopicMigrations } from './outcome-topic.ts';
import { OutgoingTurn, type Deliverer } from './outgoing-turn.ts';
import { SettledRecords } from './settled-records.ts';

/** Any number that nobody else uses: the holder of this advisory lock makes the outcomes. */
const OUTCOMES_LOCK = 0x1a7e3;

/** What the doors of an outgoing service stand in front of. */
export interface OutgoingService<D> {
  readonly outcomes: Outcomes;
  /** null: this instance does not deliver, or not yet. */
  readonly deliverer: () => D | null;
  /** `host:port` of the API of the instance that works; null: this one does. @throws StoreUnavailableError if none is known */
  readonly workingAt: () => Promise<string | null>;
  /** Of the schema of API keys. */
  readonly keys: DataSource;
}

/** What a deliverer is made of. */
export interface DelivererParts {
  /** With the tables of `webhookMigrations`. */
  readonly dataSource: DataSource;
  /** For lists: what is sent does not wait for who looks at it. */
  readonly listing: { readonly sql: SqlReader; readonly outcomes: Pick<Outcomes, 'newest' | 'read'> };
  readonly outcomes: Outcomes;
  /** The table of the directory. */
  readonly subjects: string;
  readonly record: ReturnType<typeof recordByGateway>;
  /** The types that the configuration in force makes. @throws Error if there is no configuration yet */
  readonly madeTypes: () => ReadonlySet<OutcomeType>;
  /** Resolves once outcomes are made of what every area has applied; see {@link OutcomeReader}. */
  readonly caughtUp: () => Promise<boolean>;
}

/**
 * Makes the outcomes of an account, sends them to their topic and delivers them, while no other instance does; reads of outcomes are
 * answered by each.
 * @param deliver begins to deliver; called at each election
 */
export async function openOutgoingService<D extends Deliverer>(
  frame: ProcessFrame,
  account: string,
  deliver: (parts: DelivererParts) => Promise<D>,
): Promise<OutgoingService<D>> {
  const { environment, clock, logger, shutdown, health, metrics, stream } = frame;
  const { partitions, database } = environment;
  const schema = await openSchema(database, SCHEMAS.outgoing, OUTGOING_SERVICE_MIGRATIONS);
  shutdown.register('database', () => schema.close());
  const keys = await openSchema(database, SCHEMAS.keys, databaseMigrations);
  shutdown.register('keys', () => keys.close());
  const readers = new SchemaReaders(database);
  shutdown.register('reads', () => readers.close());
  const sqlOf = readerOfEach(readers);
  const bounded = new BoundedSchemaReaders(database);
  shutdown.register('bounded reads', () => bounded.close());
  const clients = new InternalClients({ token: environment.internalToken, clock });
  shutdown.register('calls', () => clients.close());
  const owners = new OwnerDirectory(schema.sql, clock);
  const configurations = new GatewayConfigurations(schema.sql, `${SCHEMAS.ingestion}.publications`, clock);
  await configurations.follow(lastingFailure(logger, clock, 'could not read publications'));
  shutdown.register('publications', () => configurations.stop());
  const historyOf = (name: string) => configurations.historyOf(name);

  const directory = new PostgresDirectory(sqlOf(SCHEMAS.ingestion));
  const isCopied = environment.eventStoreUrl !== null;
  const log = isCopied
    ? readCopiedLog(sqlOf(SCHEMAS.ingestion), directory)
    : new PostgresLogReader(sqlOf(SCHEMAS.ingestion), directory);
  const { users, streaks } = openUserReads(sqlOf, historyOf);
  const subjects = `${SCHEMAS.ingestion}.subjects`;
  const outcomes = new PostgresOutcomes(schema.sql, { subjects, keepsErasedIds: true });
  await stream.retention(OUTCOMES_TOPIC).then(
    (retention) => isCompactedInTime(retention) || logger.warn(NOT_COMPACTED),
    (err: unknown) => logger.warn({ err }, SETTINGS_UNKNOWN),
  );
  const producer = await stream.openProducer();
  shutdown.register('producer', () => producer.close());
  const settled = new SettledRecords({
    applied: new PostgresAppliedPositions(schema.statements),
    sql: schema.sql,
    partitions,
    ...(isCopied && {
      withheld: (records: readonly LogRecord[]) => knownLateRecords(sqlOf(SCHEMAS.ingestion), records),
    }),
  });
  const failed = (what: string) => lastingFailure(logger, clock, what);
  const [notMade, notSent, notOpened, notForgotten, settingsUnknown] = [
    failed('outcomes could not be made or deleted; they are tried again'),
    failed('outcomes could not be sent to their topic; they are tried again'),
    failed('webhooks could not be read; they are tried again'),
    failed('what webhooks keep of an erased user could not be deleted; it is tried again in ten minutes'),
    failed(SETTINGS_UNKNOWN),
  ];
  const sqlOfArea = (area: AreaName) => sqlOf(schemaOf(area));
  const stored = { sqlOf: sqlOfArea, directory, users, streaks, configurations: historyOf };
  const openReader = ({ oldestNeeded }: Pick<OutcomeReaderParts, 'oldestNeeded'>) =>
    new OutcomeReader(
      {
        ...{ store: outcomes, log, clock, configurations: historyOf, onFailure: notMade },
        caused: (name, records, ranks) => causedEffects(stored, name, records, ranks),
        runs: (name, records, most) => runsOfRecords(stored, name, records, most),
        finalRuns: (name, asked, goesOn) => changedFinalRuns({ ...stored, log }, name, asked, goesOn),
        applied: () => Infinity,
        settled: (records: readonly LogRecord[]) => settled.first(records),
        oldestNeeded,
      },
      account,
    );
  const openTopic = () =>
    new OutcomeTopic({
      ...{ outcomes, sql: schema.sql, producer, clock, account, partitions, onFailure: notSent },
      retention: () => stream.retention(OUTCOMES_TOPIC),
      onUnknownRetention: settingsUnknown,
    });
  const isWorking = new PartitionOwners(schema.sql, OUTCOMES_TOPIC);
  const address = addressOf({
    host: environment.advertisedHost,
    port: Number(new URL(frame.port?.url ?? '').port || 80),
  });
  const listing = bounded.reader(SCHEMAS.outgoing);
  const parts: Omit<DelivererParts, 'caughtUp'> = {
    ...{ dataSource: schema.dataSource, outcomes, subjects },
    listing: { sql: listing, outcomes: outcomes.readBy(listing) },
    record: recordByGateway(owners, clients),
    madeTypes: () => madeTypes(historyOf(account).current),
  };
  const openTurn = () =>
    new OutgoingTurn<D>({
      reader: (turn) => openReader({ oldestNeeded: () => turn.oldestNeeded() }),
      topic: openTopic(),
      open: async (reader) => {
        await isWorking.claim([ALL], address);
        return deliver({ ...parts, caughtUp: () => reader.caughtUp() });
      },
      ...{ clock, onFailure: notOpened },
    });
  let working: OutgoingTurn<D> | null = null;
  await followErasures(frame, sqlOf(SCHEMAS.ingestion), {
    forget: (user) => {
      directory.forget(user);
      void working?.forget(user).catch(notForgotten);
    },
  });
  const leadership = new Leadership({
    config: clientConfig(schema.connection),
    clock,
    lock: OUTCOMES_LOCK,
    onElected: () => {
      working = openTurn();
      working.begin();
    },
    onLost: async () => {
      const ended = working;
      working = null;
      await ended?.close();
    },
    onTrouble: lastingFailure(logger, clock, 'could not ask the database who makes the outcomes; asking again'),
  });
  leadership.start();
  shutdown.register('outcomes', () => leadership.stop());

  health.register('database', async () => {
    await schema.sql.query('select occurred_at from outcomes limit 1', []);
    return { ok: true };
  });
  const background = new LastingFailures(
    [{ name: 'outcomes', harm: 'none are made or sent', failingMs: () => working?.failingMs ?? 0 }],
    frame,
  );
  shutdown.register('background', () => Promise.resolve(background.stop()));
  health.register('outcomes', () => ({ ok: true, detail: { makes: leadership.leading } }));
  metrics.observe('laurel_leading', '1 if this instance makes the outcomes.', () => Number(leadership.leading));
  return {
    outcomes,
    keys: keys.dataSource,
    deliverer: () => working?.deliverer ?? null,
    workingAt: async () => {
      if (leadership.leading) return null;
      await owners.renew(OUTCOMES_TOPIC);
      const found = await owners.ownerOf(OUTCOMES_TOPIC, ALL);
      if (found !== null && found !== address) return found;
      throw new StoreUnavailableError('no instance of the outgoing service works at present');
    },
  };
}

const NOT_COMPACTED = `topic ${OUTCOMES_TOPIC} is not compacted within a week, so it keeps the outcomes of erased users until its retention ends; docs/guides/distributed-topics.md#outcomes says what to do`;
const SETTINGS_UNKNOWN = `the settings of topic ${OUTCOMES_TOPIC} could not be read: outcomes are kept for as long as it may hold them`;
const WEEK_MS = 7 * 24 * 3_600_000;

const isCompactedInTime = ({ compactionLagMs }: TopicRetention): boolean =>
  compactionLagMs !== null && compactionLagMs <= WEEK_MS;

/** Stands for every partition of the topic: one instance writes them all. */
const ALL = 0;

export const OUTGOING_SERVICE_MIGRATIONS = [
  ...partitionOwnersMigrations,
  ...webhookMigrations,
  ...outgoingMigrations,
  ...outcomeTopicMigrations,
];

/** The same one for a schema whenever it is asked for. */
function readerOfEach(readers: SchemaReaders): (schema: SchemaName) => SqlReader {
  const known = new Map<SchemaName, SqlReader>();
  return (schema) => {
    const reader = known.get(schema) ?? readers.reader(schema);
    known.set(schema, reader);
    return reader;
  };
}
