import type { Instant } from '@laurel/calendar';
import type { LogRecord, SqlReader } from '@laurel/contracts';
import { clientConfig } from '@laurel/database';
import type { EventStore } from '@laurel/event-store';
import { DueSweeper, Leadership, PostgresRelayStore, Relay } from '@laurel/relay';
import type { ProcessFrame } from '../process/run-process.ts';
import type { OpenSchema } from '../schemas/open-schema.ts';
import { SCHEMAS } from '../schemas/schemas.ts';
import { keepPublications } from './gateway-configurations.ts';
import type { GatewayIntake } from './gateway-intake.ts';
import { IMPORT_IDLE_MS, type Imports } from './imports.ts';

export interface LogLeaderParts {
  readonly frame: ProcessFrame;
  readonly schema: OpenSchema;
  readonly store: EventStore;
  readonly intake: GatewayIntake;
  readonly imports: Imports;
  readonly accounts: readonly string[];
}

export interface LogLeader {
  readonly leading: boolean;
  readonly relay: Relay;
  readonly sweeper: DueSweeper;
}

/** What one ingestion gateway does for all: publish the log, sweep, close imports that were left open. */
export async function startLogLeader({
  frame,
  schema,
  store,
  intake,
  imports,
  accounts,
}: LogLeaderParts): Promise<LogLeader> {
  const { environment, clock, logger, shutdown, stream } = frame;
  const producer = await stream.openProducer();
  shutdown.register('relay producer', () => producer.close());
  const relay = new Relay({
    log: {
      read: (after, limit) => readForRelay(store, schema.sql, after, limit),
      onAppend: (listener) => store.onAppend(listener),
    },
    producer,
    store: new PostgresRelayStore(schema.statements),
    partitions: environment.partitions,
    clock,
    onTrouble: (err) => logger.warn({ err }, 'the log could not be published; it is tried again'),
  });
  const sweeper = new DueSweeper({
    clock,
    accounts: () => accounts,
    dueUsers: (account, at, limit) => dueUsers(schema.sql, account, at, limit),
    mayNotSweep: async (account) => {
      for (const idle of await imports.idle(clock.now() - IMPORT_IDLE_MS)) await intake.closeImport(idle, 'idle');
      return (await imports.isOpen(account)) || (await somethingStandsStill(schema.sql));
    },
    recordSweep: (account, userIds) => intake.recordSweep(account, userIds),
    onTrouble: (err) => logger.warn({ err }, 'what fell due could not be settled; the next sweep tries again'),
  });
  const leadership = new Leadership({
    config: clientConfig(schema.connection),
    clock,
    onElected: () => {
      logger.info('this gateway publishes the log now');
      relay.start();
      sweeper.start();
    },
    onLost: async () => {
      logger.info('this gateway does not publish the log any more');
      await Promise.all([relay.stop(), sweeper.stop()]);
    },
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

/** A publication that another gateway could not note down before it died is noted when it comes by. */
async function readForRelay(
  store: EventStore,
  sql: SqlReader,
  after: number,
  limit: number,
): Promise<readonly LogRecord[]> {
  const records = await store.read(after, limit);
  await keepPublications(sql, records);
  return records;
}

/** Those for whom a service has something to settle, those who have waited longest first. */
const DUE_USERS = `
select user_id from (
  select user_id, due_at from ${SCHEMAS.streak}.user_states where account = $1 and due_at <= $2
  union all
  select user_id, due_at from ${SCHEMAS.points}.user_states where account = $1 and due_at <= $2
) due group by user_id order by min(due_at), user_id limit $3`;

async function dueUsers(sql: SqlReader, account: string, at: Instant, limit: number): Promise<readonly string[]> {
  const rows = await sql.query<{ user_id: string }>(DUE_USERS, [account, new Date(at).toISOString(), limit]);
  return rows.map((row) => row.user_id);
}

const STANDING_STILL = [SCHEMAS.streak, SCHEMAS.achievement, SCHEMAS.points, SCHEMAS.leaderboard]
  .map((schema) => `select from ${schema}.input_partitions where failure is not null`)
  .join(' union all ');

async function somethingStandsStill(sql: SqlReader): Promise<boolean> {
  return (await sql.query(`select exists (${STANDING_STILL}) as stands`, [])).some(
    (row) => (row as { readonly stands: boolean }).stands,
  );
}
