import { stepProgress } from '@laurel/chain';
import { runTurns } from '@laurel/contributions';
import { clientConfig } from '@laurel/database';
import { ChainKeeper, DueSweeper, Leadership, type Relay, turnRecorder, type TurnRecorder } from '@laurel/engine';
import { catchUpChain, PostgresLogReader } from '@laurel/event-store';
import { idleImportsSince } from '@laurel/kernel';
import { repeat, TOPICS, type CancelTimer } from '@laurel/ports';
import { PartitionOwners, type ProcessFrame, recordedSteps } from '@laurel/processes';
import { lastingFailure } from '@laurel/runtime';
import { dueUsers } from './due-users.ts';
import { ErasingEventStore } from './erasing-event-store.ts';
import type { GatewayIntake } from './gateway-intake.ts';
import { keepPublications } from './keep-publications.ts';
import type { IngestionStores } from './open-ingestion-stores.ts';
import { openRelay } from './open-relay.ts';

export interface LogLeaderDependencies {
  readonly frame: ProcessFrame;
  readonly stores: IngestionStores;
  readonly intake: GatewayIntake;
  /** Records the verdicts of requests for points that no gateway recorded. */
  readonly decisions: LeaderTask;
  readonly accounts: readonly string[];
  /** `host:port` where other processes call this one. */
  readonly address: string;
}

export interface LogLeader {
  readonly leading: boolean;
  readonly relay: Relay;
  readonly sweeper: DueSweeper;
}

/** Work that the leader does from its election until it loses the lead. */
interface LeaderTask {
  start(): void;
  stop(): Promise<void>;
}

/**
 * Does in one ingestion gateway the work for all of them: publishes, copies and hashes the log, sweeps, closes idle imports, and records
 * the erasures that another gateway began and did not record.
 */
export async function startLogLeader(dependencies: LogLeaderDependencies): Promise<LogLeader> {
  const { frame, stores, decisions } = dependencies;
  const { clock, logger, shutdown } = frame;
  const relay = await openLeaderRelay(dependencies);
  const runs = runRecorder(dependencies);
  const sweeper = dueSweeper(dependencies, relay, runs);
  const tasks = [
    relay,
    sweeper,
    chainKeeper(dependencies),
    decisions,
    ...erasureRecorders(dependencies),
    publisherEntry(dependencies, () => leadership.leading),
  ];
  const leadership = new Leadership({
    config: clientConfig(stores.schema.connection),
    clock,
    onElected: () => {
      logger.info('this gateway publishes the log now');
      runs.forget();
      for (const task of tasks) task.start();
    },
    onLost: async () => {
      logger.info('this gateway does not publish the log any more');
      await Promise.all(tasks.map((task) => task.stop()));
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

async function openLeaderRelay({ frame, stores }: LogLeaderDependencies): Promise<Relay> {
  const { stream, shutdown, clock, logger } = frame;
  const producer = await stream.openProducer();
  shutdown.register('relay producer', () => producer.close());
  return openRelay(frame, {
    stores,
    producer,
    // A publication that another gateway could not keep before it died is kept when its record is published.
    onRead: (records) => keepPublications(stores.schema.sql, records),
    onTrouble: lastingFailure(logger, clock, 'could not publish the event store; retrying'),
  });
}

const runRecorder = ({ frame: { clock }, stores, intake }: LogLeaderDependencies): TurnRecorder =>
  turnRecorder({
    log: stores.store,
    clock,
    boards: { runTurns },
    configurations: stores.configurations.historyOf,
    record: (account, fact, at) => intake.recordRun(account, fact, at),
  });

function dueSweeper(
  { frame, stores, intake, accounts }: LogLeaderDependencies,
  relay: Relay,
  runs: TurnRecorder,
): DueSweeper {
  const { clock, logger } = frame;
  const { schema, imports, configurations } = stores;
  return new DueSweeper({
    clock,
    accounts: () => accounts,
    dueUsers: dueUsers(schema.sql),
    mayNotSweep: async (account) => {
      for (const idle of await imports.idle(idleImportsSince(clock.now())))
        await intake.closeImport(idle, 'idle', { by: 'process' });
      return (await imports.isOpen(account)) || (await isHeldUp(frame, stores, relay.position));
    },
    recordSweep: (account, subjects) => intake.recordSweep(account, subjects),
    recordRuns: async (account) => {
      if (configurations.any) await runs.recordDue(account);
    },
    onTrouble: lastingFailure(logger, clock, 'could not settle what fell due; the next sweep retries'),
  });
}

/** Sweeps that are recorded faster than they are applied would only pile up. */
const FAR_BEHIND = 5_000;

/** Whether a partition is stopped, or the services are far behind the published position. */
async function isHeldUp(
  { stream, clock, environment: { partitions } }: ProcessFrame,
  { schema: { sql } }: IngestionStores,
  published: number,
): Promise<boolean> {
  const steps = await recordedSteps(sql);
  const progress = await stepProgress({ sql, stream, clock, published, partitions, steps });
  return progress.some(
    ({ status: { behind, stopped } }) => behind === null || behind > FAR_BEHIND || stopped.length > 0,
  );
}

function chainKeeper({ frame: { clock, logger }, stores }: LogLeaderDependencies): ChainKeeper {
  const { schema, copy, directory, tables } = stores;
  // The hash covers the log as far as it is copied.
  const log = new PostgresLogReader(schema.sql, directory, tables);
  return new ChainKeeper({
    catchUp: async (onProgress) => {
      for (let more = true; more;) {
        more = (await copy?.copyNext()) ?? false;
        onProgress((await catchUpChain(schema.sql, log, onProgress)).position);
      }
    },
    clock,
    onTrouble: lastingFailure(logger, clock, 'could not hash the event store; retrying'),
  });
}

const RECORD_ERASURES_EVERY_MS = 1_000;

/** Records erasures that the process which entered them did not record. Empty if the store erases and records at once. */
function erasureRecorders({
  frame: { clock, logger },
  stores: { store },
}: LogLeaderDependencies): readonly LeaderTask[] {
  if (!(store instanceof ErasingEventStore)) return [];
  const onFailure = lastingFailure(logger, clock, 'could not record erasures; retrying');
  let cancel: CancelTimer = () => undefined;
  return [
    {
      start: () => {
        cancel = repeat(clock, RECORD_ERASURES_EVERY_MS, () => store.recordErasures(), onFailure);
      },
      stop: () => Promise.resolve(cancel()),
    },
  ];
}

const ENTER_AGAIN_MS = 1_000;

/** Enters this gateway as the one that publishes the log, for processes that call the leader. */
function publisherEntry(
  { frame: { clock, logger }, stores, address }: LogLeaderDependencies,
  isLeading: () => boolean,
): LeaderTask {
  const publishers = new PartitionOwners(stores.schema.sql, TOPICS.log);
  const onFailure = lastingFailure(logger, clock, 'could not enter which gateway publishes the log; retrying');
  const enter = (): void => {
    publishers.claim([0], address).catch((error: unknown) => {
      onFailure(error);
      clock.after(ENTER_AGAIN_MS, () => (isLeading() ? enter() : undefined));
    });
  };
  return { start: enter, stop: () => Promise.resolve() };
}
