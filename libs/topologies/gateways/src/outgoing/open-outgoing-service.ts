import { clientConfig } from '@laurel/database';
import { Leadership } from '@laurel/engine';
import type { TopicRetention } from '@laurel/event-stream';
import {
  madeTypes,
  StoreUnavailableError,
  type AreaName,
  type RecordedEvent,
  type OutcomeType,
  type SqlReader,
} from '@laurel/kernel';
import { OutcomeReader, type OldestNeeded, type OutcomeReaderDependencies, type Outcomes } from '@laurel/outgoing';
import { OUTCOMES_TOPIC } from '@laurel/ports';
import {
  addressOf,
  followErasures,
  openClients,
  PartitionOwners,
  type ProcessFrame,
  schemaOf,
  SCHEMAS,
} from '@laurel/processes';
import { LastingFailures, lastingFailure } from '@laurel/runtime';
import { causedEffects, changedFinalRuns, runsOfRecords } from '@laurel/stored-effects';
import type { DataSource } from 'typeorm';
import { PostgresAppliedPositions } from '../answers/index.ts';
import { knownLateRecords } from '../ingestion/kept-erasures.ts';
import { recordByGateway } from '../ingestion/record-webhook-change.ts';
import { openUserReads } from '../schemas/open-user-reads.ts';
import { openOutgoingStores, SUBJECTS, type OutgoingStores } from './open-outgoing-stores.ts';
import { OutcomeTopic } from './outcome-topic.ts';
import { OutgoingTerm, type Deliverer } from './outgoing-term.ts';
import { SettledRecords } from './settled-records.ts';

/** Any number that nobody else uses: the holder of this advisory lock makes the outcomes. */
const OUTCOMES_LOCK = 0x1a7e3;

/** Operations for the HTTP modules of an outgoing service. */
export interface OutgoingService<D> {
  readonly outcomes: Outcomes;
  /** null while this instance does not deliver. */
  readonly deliverer: () => D | null;
  /** `host:port` of the API of the working instance; null if it is this one. @throws StoreUnavailableError if none is known */
  readonly workingAt: () => Promise<string | null>;
  /** The schema of API keys. */
  readonly keys: DataSource;
}

/** Dependencies of a deliverer. */
export interface DelivererDependencies {
  /** The database with the tables of `webhookMigrations`. */
  readonly dataSource: DataSource;
  /** Reads for lists, so that deliveries do not wait for people who look at them. */
  readonly listing: { readonly sql: SqlReader; readonly outcomes: Pick<Outcomes, 'newest' | 'read'> };
  readonly outcomes: Outcomes;
  /** The table of the directory. */
  readonly subjects: string;
  readonly record: ReturnType<typeof recordByGateway>;
  /** The outcome types that the configuration in force makes. @throws Error if there is no configuration yet */
  readonly madeTypes: () => ReadonlySet<OutcomeType>;
  /** Resolves once outcomes are made for everything that every area has applied; see {@link OutcomeReader}. */
  readonly caughtUp: () => Promise<boolean>;
}

/**
 * While this instance is elected, makes the outcomes of an account, sends them to their topic and delivers them. Every
 * instance answers reads of outcomes.
 * @param deliver begins to deliver; called at each election
 */
export async function openOutgoingService<D extends Deliverer>(
  frame: ProcessFrame,
  account: string,
  deliver: (dependencies: DelivererDependencies) => Promise<D>,
): Promise<OutgoingService<D>> {
  const stores = await openOutgoingStores(frame);
  const { clock, logger } = frame;
  const { sql } = stores.schema;
  const { clients, owners } = openClients(frame, sql);
  const address = apiAddressOf(frame);
  const publishing = await openPublishing(frame, stores, account);
  const delivererDependencies = dependenciesOfDeliverers(stores, account, recordByGateway(owners, clients));
  const isWorking = new PartitionOwners(sql, OUTCOMES_TOPIC);
  const onFailure = lastingFailure(logger, clock, 'webhooks could not be read; they are tried again');
  const openTerm = () =>
    new OutgoingTerm<D>({
      reader: (term) => publishing.openReader(() => term.oldestNeeded()),
      topic: publishing.openTopic(),
      open: async (reader) => {
        await isWorking.claim([ALL], address);
        return deliver({ ...delivererDependencies, caughtUp: () => reader.caughtUp() });
      },
      clock,
      onFailure,
    });
  const elected = await electedTerm(frame, stores, openTerm);
  return {
    outcomes: stores.outcomes,
    keys: stores.keys,
    deliverer: () => elected.term()?.deliverer ?? null,
    workingAt: async () => {
      if (elected.leading()) return null;
      await owners.renew(OUTCOMES_TOPIC);
      const found = await owners.ownerOf(OUTCOMES_TOPIC, ALL);
      if (found !== null && found !== address) return found;
      throw new StoreUnavailableError('no instance of the outgoing service works at present');
    },
  };
}

/** One instance writes all partitions of the topic, and is recorded as the owner of this one. */
const ALL = 0;

const apiAddressOf = ({ environment: { advertisedHost: host }, port }: ProcessFrame): string =>
  addressOf({ host, port: Number(new URL(port?.url ?? '').port || 80) });

function dependenciesOfDeliverers(
  { schema, bounded, outcomes, configurations }: OutgoingStores,
  account: string,
  record: DelivererDependencies['record'],
): Omit<DelivererDependencies, 'caughtUp'> {
  const sql = bounded.reader(SCHEMAS.outgoing);
  return {
    dataSource: schema.dataSource,
    listing: { sql, outcomes: outcomes.readBy(sql) },
    outcomes,
    subjects: SUBJECTS,
    record,
    madeTypes: () => madeTypes(configurations.historyOf(account).current),
  };
}

interface Publishing {
  readonly openReader: (oldestNeeded: OldestNeeded) => OutcomeReader;
  readonly openTopic: () => OutcomeTopic;
}

/** What makes the outcomes, and what sends them to their topic: both anew for each term. */
async function openPublishing(frame: ProcessFrame, stores: OutgoingStores, account: string): Promise<Publishing> {
  const { stream, shutdown, logger, clock, environment } = frame;
  await warnOfRetention(frame);
  const producer = await stream.openProducer();
  shutdown.register('producer', () => producer.close());
  const onFailure = lastingFailure(logger, clock, 'outcomes could not be sent to their topic; they are tried again');
  const onUnknownRetention = lastingFailure(logger, clock, SETTINGS_UNKNOWN);
  return {
    openReader: outcomeReaders(frame, stores, account),
    openTopic: () =>
      new OutcomeTopic({
        outcomes: stores.outcomes,
        sql: stores.schema.sql,
        producer,
        retention: () => stream.retention(OUTCOMES_TOPIC),
        clock,
        account,
        partitions: environment.partitions,
        onFailure,
        onUnknownRetention,
      }),
  };
}

function outcomeReaders(
  { environment, clock, logger }: ProcessFrame,
  stores: OutgoingStores,
  account: string,
): Publishing['openReader'] {
  const { schema, readers, configurations, directory, log, outcomes } = stores;
  const { users, streaks } = openUserReads(readers, configurations);
  const sqlOf = (area: AreaName) => readers.reader(schemaOf(area));
  const stored = { sqlOf, directory, users, streaks, configurations: configurations.historyOf };
  const isCopied = environment.eventStoreUrl !== null;
  const settled = new SettledRecords({
    applied: new PostgresAppliedPositions(schema.statements),
    sql: schema.sql,
    partitions: environment.partitions,
    ...(isCopied && { withheld: (records: readonly RecordedEvent[]) => knownLateRecords(stores.ingestion, records) }),
  });
  const onFailure = lastingFailure(logger, clock, 'outcomes could not be made or deleted; they are tried again');
  const dependencies: Omit<OutcomeReaderDependencies, 'oldestNeeded'> = {
    store: outcomes,
    log,
    clock,
    configurations: configurations.historyOf,
    onFailure,
    caused: (name, records, ranks) => causedEffects(stored, name, records, ranks),
    runs: (name, records, most) => runsOfRecords(stored, name, records, most),
    finalRuns: (name, query, goesOn) => changedFinalRuns({ ...stored, log }, name, query, goesOn),
    applied: () => Infinity,
    settled: (records) => settled.first(records),
  };
  return (oldestNeeded) => new OutcomeReader({ ...dependencies, oldestNeeded }, account);
}

/** A term from each election of this instance until it loses the lead. */
async function electedTerm<D extends Deliverer>(
  frame: ProcessFrame,
  { schema, ingestion, directory }: OutgoingStores,
  openTerm: () => OutgoingTerm<D>,
): Promise<{ readonly term: () => OutgoingTerm<D> | null; readonly leading: () => boolean }> {
  const { clock, logger, shutdown } = frame;
  let term: OutgoingTerm<D> | null = null;
  const notForgotten = lastingFailure(
    logger,
    clock,
    'stored webhook data of an erased user could not be deleted; retrying in ten minutes',
  );
  await followErasures(frame, ingestion, {
    forget: (user) => {
      directory.forget(user);
      void term?.forget(user).catch(notForgotten);
    },
  });
  const leadership = new Leadership({
    config: clientConfig(schema.connection),
    clock,
    lock: OUTCOMES_LOCK,
    onElected: () => {
      term = openTerm();
      term.begin();
    },
    onLost: async () => {
      const ended = term;
      term = null;
      await ended?.close();
    },
    onTrouble: lastingFailure(logger, clock, 'could not ask the database which instance makes the outcomes; retrying'),
  });
  leadership.start();
  shutdown.register('outcomes', () => leadership.stop());
  observe(frame, schema.sql, { failingMs: () => term?.failingMs ?? 0, leading: () => leadership.leading });
  return { term: () => term, leading: () => leadership.leading };
}

interface ObservedTerm {
  readonly failingMs: () => number;
  readonly leading: () => boolean;
}

function observe(frame: ProcessFrame, sql: SqlReader, { failingMs, leading }: ObservedTerm): void {
  const { health, metrics, shutdown } = frame;
  health.register('database', async () => {
    await sql.query('select occurred_at from outcomes limit 1', []);
    return { ok: true };
  });
  const background = new LastingFailures([{ name: 'outcomes', harm: 'none are made or sent', failingMs }], frame);
  shutdown.register('background', () => Promise.resolve(background.stop()));
  health.register('outcomes', () => ({ ok: true, detail: { makes: leading() } }));
  metrics.observe('laurel_leading', '1 if this instance makes the outcomes.', () => Number(leading()));
}

async function warnOfRetention({ stream, logger }: ProcessFrame): Promise<void> {
  await stream.retention(OUTCOMES_TOPIC).then(
    (retention) => isCompactedInTime(retention) || logger.warn(NOT_COMPACTED),
    (err: unknown) => logger.warn({ err }, SETTINGS_UNKNOWN),
  );
}

const NOT_COMPACTED = `topic ${OUTCOMES_TOPIC} is not compacted within a week, so it keeps the outcomes of erased users until its retention ends; docs/guides/distributed-topics.md#outcomes says what to do`;
const SETTINGS_UNKNOWN = `the settings of topic ${OUTCOMES_TOPIC} could not be read: outcomes are kept for as long as it may hold them`;
const WEEK_MS = 7 * 24 * 3_600_000;

const isCompactedInTime = ({ compactionLagMs }: TopicRetention): boolean =>
  compactionLagMs !== null && compactionLagMs <= WEEK_MS;
