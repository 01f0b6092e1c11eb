import { causedEffects, runsOfRecords } from '@laurel/areas';
import type { AreaName, LogRecord, SqlReader } from '@laurel/contracts';
import { clientConfig, databaseMigrations } from '@laurel/database';
import { PostgresDirectory } from '@laurel/directory';
import { Leadership } from '@laurel/engine';
import { PostgresLogReader, type EventLog } from '@laurel/event-store';
import { OutcomeReader, outgoingMigrations, PostgresOutcomes, type Outcomes } from '@laurel/outgoing';
import { rateLimited } from '@laurel/runtime';
import type { DataSource } from 'typeorm';
import { PostgresAppliedPositions } from '../answers/index.ts';
import { GatewayConfigurations } from '../ingestion/gateway-configurations.ts';
import { openEventStoreDb } from '../ingestion/open-event-store.ts';
import type { ProcessFrame } from '../process/run-process.ts';
import { openUserReads } from '../queries/open-user-reads.ts';
import { followErasures } from '../schemas/follow-erasures.ts';
import { openSchema } from '../schemas/open-schema.ts';
import { SchemaReaders } from '../schemas/read-schemas.ts';
import { SCHEMAS, schemaOf, type SchemaName } from '../schemas/schemas.ts';
import { OutcomeTopic, outcomeTopicMigrations } from './outcome-topic.ts';
import { SettledRecords } from './settled-records.ts';

/** Any number that nobody else uses: the holder of this advisory lock makes the outcomes. */
const OUTCOMES_LOCK = 0x1a7e3;

/** A log line that every turn of an outage would repeat. */
const LOG_EVERY_MS = 10_000;

/** What the doors of an outgoing service stand in front of. */
export interface OutgoingService {
  readonly outcomes: Outcomes;
  /** Of the schema of API keys. */
  readonly keys: DataSource;
}

/** Makes the outcomes of an account and sends them to their topic, while no other instance does; reads are answered by each. */
export async function openOutgoingService(frame: ProcessFrame, account: string): Promise<OutgoingService> {
  const { environment, clock, logger, shutdown, health, metrics, stream } = frame;
  const { partitions, database } = environment;
  const schema = await openSchema(database, SCHEMAS.outgoing, OUTGOING_SERVICE_MIGRATIONS);
  shutdown.register('database', () => schema.close());
  const keys = await openSchema(database, SCHEMAS.keys, databaseMigrations);
  shutdown.register('keys', () => keys.close());
  const readers = new SchemaReaders(database);
  shutdown.register('reads', () => readers.close());
  const sqlOf = readerOfEach(readers);
  const configurations = new GatewayConfigurations(schema.sql, `${SCHEMAS.ingestion}.publications`, clock);
  await configurations.follow((err) => logger.warn({ err }, 'could not read publications'));
  shutdown.register('publications', () => configurations.stop());
  const historyOf = (name: string) => configurations.historyOf(name);

  const directory = new PostgresDirectory(sqlOf(SCHEMAS.ingestion));
  const log = await openLog(frame, sqlOf(SCHEMAS.ingestion), directory);
  const { users, streaks } = openUserReads(sqlOf, historyOf);
  const outcomes = new PostgresOutcomes(schema.sql, `${SCHEMAS.ingestion}.subjects`);
  const producer = await stream.openProducer();
  shutdown.register('producer', () => producer.close());
  const settled = new SettledRecords({
    applied: new PostgresAppliedPositions(schema.statements),
    sql: schema.sql,
    partitions,
  });
  const failed = (what: string) =>
    rateLimited<unknown>(clock, LOG_EVERY_MS, (err, leftOut) => logger.warn({ err, leftOut }, what));
  const [notMade, notSent] = [
    failed('outcomes could not be made or deleted; they are tried again'),
    failed('outcomes could not be sent to their topic; they are tried again'),
  ];
  const sqlOfArea = (area: AreaName) => sqlOf(schemaOf(area));
  const stored = { sqlOf: sqlOfArea, directory, users, streaks, configurations: historyOf };
  const openReader = () =>
    new OutcomeReader(
      {
        ...{ store: outcomes, log, clock, configurations: historyOf, onFailure: notMade },
        caused: (name, records, ranks) => causedEffects(stored, name, records, ranks),
        runs: (name, records, most) => runsOfRecords(stored, name, records, most),
        applied: () => Infinity,
        settled: (records: readonly LogRecord[]) => settled.first(records),
        oldestNeeded: async () => (await openTopic().position()) + 1,
      },
      account,
    );
  const openTopic = () =>
    new OutcomeTopic({ outcomes, sql: schema.sql, producer, clock, account, partitions, onFailure: notSent });
  let working: { readonly reader: OutcomeReader; readonly topic: OutcomeTopic } | null = null;
  await followErasures(frame, sqlOf(SCHEMAS.ingestion), {
    forget: (user) => {
      directory.forget(user);
      void working?.reader.forget(user);
    },
  });
  const leadership = new Leadership({
    config: clientConfig(schema.connection),
    clock,
    lock: OUTCOMES_LOCK,
    onElected: () => {
      working = { reader: openReader(), topic: openTopic() };
      working.reader.begin();
      working.topic.begin();
    },
    onLost: async () => {
      const ended = working;
      working = null;
      await Promise.all([ended?.reader.close(), ended?.topic.close()]);
    },
    onTrouble: (err) => logger.warn({ err }, 'could not ask the database who makes the outcomes; asking again'),
  });
  leadership.start();
  shutdown.register('outcomes', () => leadership.stop());

  health.register('database', async () => {
    await schema.sql.query('select 1', []);
    return { ok: true };
  });
  health.register('outcomes', () => ({ ok: true, detail: { makes: leadership.leading } }));
  metrics.observe('laurel_leading', '1 if this instance makes the outcomes.', () => Number(leadership.leading));
  return { outcomes, keys: keys.dataSource };
}

export const OUTGOING_SERVICE_MIGRATIONS = [...outgoingMigrations, ...outcomeTopicMigrations];

async function openLog(
  { environment: { eventStoreUrl }, clock, shutdown }: ProcessFrame,
  sql: SqlReader,
  directory: PostgresDirectory,
): Promise<Pick<EventLog, 'read' | 'readAccountFacts'>> {
  if (eventStoreUrl === null) return new PostgresLogReader(sql, directory);
  const store = await openEventStoreDb(eventStoreUrl, clock, directory);
  shutdown.register('event store', () => store.close());
  return store;
}

/** The same one for a schema whenever it is asked for. */
function readerOfEach(readers: SchemaReaders): (schema: SchemaName) => SqlReader {
  const known = new Map<SchemaName, SqlReader>();
  return (schema) => {
    const reader = known.get(schema) ?? readers.reader(schema);
    known.set(schema, reader);
    return reader;
  };
}
