import { type ProgressParts, stepProgress } from '@laurel/chain';
import { IMPORT_IDLE_MS, type LogRecord, type SqlReader } from '@laurel/kernel';
import { repeat, TOPICS, type CancelTimer, type DataKeys } from '@laurel/ports';
import { clientConfig } from '@laurel/database';
import { catchUpChain, type EventStore, type LogCopy, type StoredLog } from '@laurel/event-store';
import {
  ChainKeeper,
  DueSweeper,
  Leadership,
  PostgresRelayStore,
  Relay,
  RunRecorder,
  type RelayParts,
} from '@laurel/engine';
import { lastingFailure } from '@laurel/runtime';
import { runTurns } from '@laurel/contributions';
import {
  type GatewayConfigurations,
  type OpenSchema,
  PartitionOwners,
  type ProcessFrame,
  recordedSteps,
} from '@laurel/processes';
import { dueUsers } from './due-users.ts';
import { ErasingEventStore } from './erasing-event-store.ts';
import type { GatewayIntake } from './gateway-intake.ts';
import type { Imports } from './imports.ts';
import { keepPublications } from './keep-publications.ts';
import { lateRecords } from './kept-erasures.ts';

export interface LogLeaderParts {
  readonly frame: ProcessFrame;
  readonly schema: OpenSchema;
  readonly store: EventStore;
  /** null: the log is in Postgres. */
  readonly copy: LogCopy | null;
  /** The log in Postgres, or its copy. */
  readonly hashed: StoredLog;
  readonly dataKeys: DataKeys;
  readonly intake: GatewayIntake;
  readonly imports: Imports;
  readonly configurations: GatewayConfigurations;
  readonly accounts: readonly string[];
  /** `host:port` where other processes call this one. */
  readonly address: string;
}

export interface LogLeader {
  readonly leading: boolean;
  readonly relay: Relay;
  readonly sweeper: DueSweeper;
}

/** How often it looks for erasures that whoever entered them did not record. */
const LOOK_FOR_ERASURES_MS = 1_000;

/** What one ingestion gateway does for all: publish, copy and hash the log, sweep, close imports that were left open, record erasures that others did not. */
export async function startLogLeader({
  frame,
  schema,
  store,
  copy,
  hashed,
  dataKeys,
  intake,
  imports,
  configurations,
  accounts,
  address,
}: LogLeaderParts): Promise<LogLeader> {
  const { clock, logger, shutdown, stream } = frame;
  const { partitions } = frame.environment;
  const producer = await stream.openProducer();
  shutdown.register('relay producer', () => producer.close());
  const relay = new Relay({
    log: {
      read: (after, limit) => readForRelay(copy ?? store, schema.sql, after, limit),
      onAppend: (listener) => store.onAppend(listener),
    },
    producer,
    store: new PostgresRelayStore(schema.statements),
    dataKeys,
    partitions,
    clock,
    onTrouble: lastingFailure(logger, clock, 'could not publish the event store; retrying'),
    ...withholding(store, schema.sql),
  });
  const runs = new RunRecorder({
    ...{ log: store, clock, boards: { runTurns } },
    configurations: (account) => configurations.historyOf(account),
    record: (account, fact, at) => intake.recordRun(account, fact, at),
  });
  const sweeper = new DueSweeper({
    clock,
    accounts: () => accounts,
    dueUsers: (account, at, after, limit) => dueUsers(schema.sql, account, at, after, limit),
    mayNotSweep: async (account) => {
      for (const idle of await imports.idle(clock.now() - IMPORT_IDLE_MS))
        await intake.closeImport(idle, 'idle', { by: 'process' });
      return (
        (await imports.isOpen(account)) ||
        (await isHeldUp({ sql: schema.sql, stream, clock, published: relay.position, partitions }))
      );
    },
    recordSweep: (account, subjects) => intake.recordSweep(account, subjects),
    recordRuns: async (account) => {
      if (configurations.any) await runs.recordDue(account);
    },
    onTrouble: lastingFailure(logger, clock, 'could not settle what fell due; the next sweep retries'),
  });
  const chain = new ChainKeeper({
    catchUp: async (onProgress) => {
      for (let more = true; more;) {
        more = (await copy?.copyNext()) ?? false;
        onProgress((await catchUpChain(schema.sql, hashed, onProgress)).position);
      }
    },
    clock,
    onTrouble: lastingFailure(logger, clock, 'could not hash the event store; retrying'),
  });
  let stopRecordingErasures: CancelTimer = () => undefined;
  const publishers = new PartitionOwners(schema.sql, TOPICS.log);
  const notEntered = lastingFailure(logger, clock, 'could not enter which gateway publishes the log; retrying');
  const enter = (): void => {
    publishers.claim([0], address).catch((err: unknown) => {
      notEntered(err);
      clock.after(ENTERED_AGAIN_MS, () => (leadership.leading ? enter() : undefined));
    });
  };
  const leadership = new Leadership({
    config: clientConfig(schema.connection),
    clock,
    onElected: () => {
      logger.info('this gateway publishes the log now');
      relay.start();
      runs.forget();
      sweeper.start();
      chain.start();
      if (store instanceof ErasingEventStore)
        stopRecordingErasures = repeat(
          clock,
          LOOK_FOR_ERASURES_MS,
          () => store.recordErasures(),
          lastingFailure(logger, clock, 'could not record erasures; retrying'),
        );
      enter();
    },
    onLost: async () => {
      logger.info('this gateway does not publish the log any more');
      stopRecordingErasures();
      await Promise.all([relay.stop(), sweeper.stop(), chain.stop()]);
    },
    onTrouble: lastingFailure(logger, clock, 'could not ask the database which gateway leads; retrying'),
  });
  leadership.start();
  shutdown.register('leadership', () => leadership.stop());
  return {
    get leading() {
      return leadership.leading;
    },
    relay,
    sweeper,
  };
}

/** Of a log whose appends do not know of erasures: what got behind one of its user. */
export const withholding = (store: EventStore, sql: SqlReader): Pick<RelayParts, 'withheld'> =>
  store instanceof ErasingEventStore ? { withheld: (records) => lateRecords(sql, records) } : {};

const ENTERED_AGAIN_MS = 1_000;

/** A publication that another gateway could not note down before it died is noted when it comes by. */
async function readForRelay(
  log: Pick<EventStore, 'read'>,
  sql: SqlReader,
  after: number,
  limit: number,
): Promise<readonly LogRecord[]> {
  const records = await log.read(after, limit);
  await keepPublications(sql, records);
  return records;
}

/** Sweeps that are recorded faster than they are settled would only pile up. */
const FAR_BEHIND = 5_000;

/** Whether a partition stands still, or the services are far behind what is published. */
async function isHeldUp(parts: Omit<ProgressParts, 'steps'>): Promise<boolean> {
  const progress = await stepProgress({ ...parts, steps: await recordedSteps(parts.sql) });
  return progress.some(
    ({ status: { behind, stopped } }) => behind === null || behind > FAR_BEHIND || stopped.length > 0,
  );
}
