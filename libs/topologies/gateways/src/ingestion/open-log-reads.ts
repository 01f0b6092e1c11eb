import { SCHEMAS, assertComplete, onceComplete, type ProcessFrame, readLog, schemaOf } from '@laurel/processes';
import { findPosition, LogProofs, type AdministrativeLog } from '@laurel/event-store';
import { Exports, logInOrder, SubscriberReads } from '@laurel/exports';
import type { LiveReads } from '@laurel/ports';
import { verifyOnlyLog, type StoredVerification } from '@laurel/verify';
import { openLiveReads } from '../live/open-live-reads.ts';
import type { ChainWatch } from '../operations/chain-watch.ts';
import { storedLeaderboards } from '../operations/distributed-operations.ts';
import { verifyDistributed } from '../operations/verify-distributed.ts';
import { gatewayErasures, type GatewayErasures } from './erasures.ts';
import type { IngestionStores } from './open-ingestion-stores.ts';

/** Reads of operators: the log, and what the services have stored of it. */
export interface LogReads {
  readonly administrativeLog: Pick<AdministrativeLog, 'readAdministrative'>;
  readonly live: LiveReads;
  readonly erasures: GatewayErasures;
  readonly exports: Exports;
  readonly events: ReturnType<typeof logInOrder>;
  /**
   * Verifies the stored data and reports the findings.
   * @throws Error if an area does not reach the end of the log, the database cannot be read, or the process stops meanwhile
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

export function openLogReads(frame: ProcessFrame, stores: IngestionStores, watch: ChainWatch): LogReads {
  const { schema, bounded, copy, tables, boundedDirectory: directory, directory: dataKeys, configurations } = stores;
  const log = readLog(tables, schema.sql, dataKeys);
  const boundedLog = readLog(tables, bounded.reader(SCHEMAS.ingestion), directory);
  /** A caller who knows that something is recorded finds it in the copy, even before it is published. */
  const bringUpToDate = async (): Promise<void> => copy?.bringUpToDate();
  const { partitions } = frame.environment;
  // Positions of EventStoreDB are far apart: a window of this many positions would contain hardly any event of the
  // user.
  const readInOrder: ExportedLog = {
    read: (after, limit) => log.read(after, limit),
    head: () => bringUpToDate().then(() => log.head()),
  };
  const exportedLog = copy === null ? log : readInOrder;
  return {
    ...storedUserReads(frame, stores, exportedLog),
    administrativeLog: {
      readAdministrative: async (account, before, limit) => {
        await bringUpToDate();
        return boundedLog.readAdministrative(account, before, limit);
      },
    },
    live: openLiveReads({ readers: bounded, log: boundedLog, tables, directory, configurations, partitions }),
    events: logInOrder({ log: boundedLog, directory }),
    verify: openVerification(frame, stores, watch),
    logHash: {
      proofs: new LogProofs(schema.sql, log),
      findPosition: (account, eventId) =>
        findPosition(copy === null ? schema.sql : onceComplete(schema.sql), account, eventId, tables),
    },
  };
}

type ExportedLog = ConstructorParameters<typeof Exports>[0]['log'];

function storedUserReads(
  { clock }: ProcessFrame,
  { schema, readers, reads, tables, copy, directory, imports, configurations }: IngestionStores,
  log: ExportedLog,
): Pick<LogReads, 'exports' | 'erasures'> {
  const configuration = configurations.historyOf;
  const leaderboards = storedLeaderboards(readers.reader(schemaOf('leaderboards')), configuration);
  const notified = new SubscriberReads(readers.reader(SCHEMAS.outgoing));
  return {
    exports: new Exports({ ...reads, log, directory, configuration, clock, told: notified, leaderboards }),
    erasures: gatewayErasures({
      connection: schema.connection,
      tables,
      directory,
      imports,
      configuration,
      clock,
      assertCountable: async () => (copy === null ? undefined : assertComplete(schema.sql)),
      leaderboards,
    }),
  };
}

function openVerification(
  { clock, shutdown }: ProcessFrame,
  { schema, store, copy, tables, directory, configurations }: IngestionStores,
  watch: ChainWatch,
): LogReads['verify'] {
  const closing = new AbortController();
  shutdown.register('verification', () => Promise.resolve(closing.abort(new Error('the process is stopping'))));
  const { connection, sql } = schema;
  const log = readLog(tables, sql, directory);
  const verified = {
    connection,
    sql,
    log,
    tables,
    configurations,
    clock,
    head: () => log.head(),
    pendingAt: (position: number, limitMs: number) => watch.pendingAt(position, limitMs),
    ...(copy !== null && { original: store }),
  };
  return async (account, { full, onlyLog }, onProgress) => {
    const stopped = closing.signal;
    if (copy !== null) await assertComplete(sql);
    if (onlyLog && copy !== null) return verifyOnlyLog(sql, store, { onProgress, stopped });
    await verifyDistributed(verified, { account, full, onProgress, stopped, ...(onlyLog && { onlyLog }) });
  };
}
