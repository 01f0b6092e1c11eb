import { rebuildStopped } from '@laurel/rebuild';
import { causedEffects, changedFinalRuns, runsOfRecords } from '@laurel/stored-effects';
import { MIGRATIONS, storedDigest, storedNames } from '@laurel/all-areas';
import { clientConfig, dataSourceOf, migrate, type ConnectionOptions } from '@laurel/database';
import { distributedDigest } from '@laurel/gateways';
import { compileHistory } from '@laurel/configuration';
import { PostgresDirectory } from '@laurel/directory';
import { postgresStateReader, publicationsIn, type Digest } from '@laurel/engine';
import { PostgresLogReader } from '@laurel/event-store';
import { OutcomeReader, PostgresOutcomes } from '@laurel/outgoing';
import { createClock } from '@laurel/runtime';
import { StreakQueries } from '@laurel/streaks';
import { UserQueries } from '@laurel/users';
import pg from 'pg';
import type { TestDatabase } from '../database/database.ts';
import { openServiceDatabase } from '../service-database.ts';
import { directoryOf, type LoggedService } from './proof.ts';

const ROWS_AT_A_TIME = 5_000;

/** The digests of the services' read models and of a standalone that has applied the same log. */
export interface ComparedDigests {
  /** Both exclude answered ranks, which follow the order in which the owner of the boards applied the events. */
  readonly distributed: Digest;
  readonly standalone: Digest;
}

/** Copies the topology's log into an empty database, and lets the standalone's areas apply it. */
export async function compareWithStandalone(server: ConnectionOptions, account: string): Promise<ComparedDigests> {
  const names = await storedNames({ ...server, schema: 'laurel_ingestion' }, account);
  const distributed = await distributedDigest(server, account, names);
  const standalone = await referenceDigest(server, 'laurel_ingestion.events', distributed.position, account);
  return { distributed: withoutRanks(distributed), standalone: withoutRanks(standalone) };
}

/** The digest of an undisturbed standalone that has applied the log in this table up to this position. */
export async function referenceDigest(
  server: ConnectionOptions,
  events: LoggedService['events'],
  position: number,
  account: string,
): Promise<Digest> {
  return withReference(server, events, position, ({ connection }) => storedDigest(connection, account));
}

/** The bodies of the outcomes that a standalone makes of the topology's log, in the order of the log. */
export async function outcomesOfStandalone(server: ConnectionOptions, account: string): Promise<readonly string[]> {
  const names = await storedNames({ ...server, schema: 'laurel_ingestion' }, account);
  const { position } = await distributedDigest(server, account, names);
  return withReference(server, 'laurel_ingestion.events', position, async ({ sql }) => {
    const directory = new PostgresDirectory(sql);
    const log = new PostgresLogReader(sql, directory);
    const published = await log.readAccountEvents(account, ['ConfigurationPublished']);
    const history = compileHistory(account, publicationsIn(published));
    const states = postgresStateReader(sql);
    const users = new UserQueries(sql, states, () => history);
    const streaks = new StreakQueries(sql, states, () => history);
    const parts = { sqlOf: () => sql, directory, users, streaks, configurations: () => history };
    const store = new PostgresOutcomes(sql);
    const reader = new OutcomeReader(
      {
        ...{ store, log, configurations: () => history, applied: () => position, oldestNeeded: async () => 1 },
        clock: createClock({ type: 'system' }),
        caused: (name, records, ranks) => causedEffects(parts, name, records, ranks),
        runs: (name, records, most) => runsOfRecords(parts, name, records, most),
        finalRuns: (name, query, goesOn) => changedFinalRuns({ ...parts, log }, name, query, goesOn),
        onFailure: (error) => {
          throw error;
        },
      },
      account,
    );
    await reader.catchUp();
    const bodies: string[] = [];
    for (let after = 0, more = true; more;) {
      const some = await store.read(account, { after, limit: 1_000 });
      bodies.push(...some.map(({ body }) => body));
      more = some.length > 0;
      after = some.at(-1)?.sequence ?? after;
    }
    return bodies;
  });
}

/** @param work gets the database of an undisturbed standalone with the log in this table up to this position */
async function withReference<T>(
  server: ConnectionOptions,
  events: LoggedService['events'],
  position: number,
  work: (reference: TestDatabase) => Promise<T>,
): Promise<T> {
  const reference = await openServiceDatabase();
  try {
    await migrated(reference.connection);
    await copyLog(server, events, reference.connection, position);
    await rebuildStopped(reference.connection, []);
    return await work(reference);
  } finally {
    await reference.close();
  }
}

/** The digest of a standalone's tables, and the {@link referenceDigest} of its log. */
export async function compareWithUndisturbed(
  server: ConnectionOptions,
  account: string,
): Promise<{ readonly stored: Digest; readonly undisturbed: Digest }> {
  const stored = await storedDigest(server, account);
  return { stored, undisturbed: await referenceDigest(server, 'events', stored.position, account) };
}

/** Creates the tables as the start of a standalone does in an empty database. */
async function migrated(connection: ConnectionOptions): Promise<void> {
  const dataSource = await dataSourceOf(connection, MIGRATIONS).initialize();
  try {
    await migrate(dataSource, connection);
  } finally {
    await dataSource.destroy();
  }
}

const withoutRanks = ({ position, lines }: Digest): Digest => ({
  position,
  lines: lines.filter(({ name }) => name !== 'rank history'),
});

async function copyLog(
  from: ConnectionOptions,
  events: LoggedService['events'],
  to: ConnectionOptions,
  head: number,
): Promise<void> {
  const [source, target] = [new pg.Client(clientConfig(from)), new pg.Client(clientConfig(to))];
  await Promise.all([source.connect(), target.connect()]);
  try {
    for (let after = 0; after < head;) {
      const { rows } = await source.query<{ records: unknown; last: string }>(
        `select json_agg(e) as records, max(position) as last from (
           select * from ${events} where position > $1 and position <= $2 order by position limit $3
         ) e`,
        [after, head, ROWS_AT_A_TIME],
      );
      const [copied] = rows;
      if (!copied?.records) throw new Error(`the log ends before its position ${head}`);
      await target.query('insert into events select * from json_populate_recordset(null::events, $1)', [
        JSON.stringify(copied.records),
      ]);
      after = Number(copied.last);
    }
    await target.query('update log_head set position = $1', [head]);
    await copyTable(source, directoryOf(events), target, 'subjects');
  } finally {
    await Promise.all([source.end(), target.end()]);
  }
}

async function copyTable(source: pg.Client, from: string, target: pg.Client, to: string): Promise<void> {
  const { rows } = await source.query<{ all: unknown }>(`select json_agg(t) as all from ${from} t`);
  await target.query(`insert into ${to} select * from json_populate_recordset(null::${to}, $1)`, [
    JSON.stringify(rows[0]?.all ?? []),
  ]);
}
