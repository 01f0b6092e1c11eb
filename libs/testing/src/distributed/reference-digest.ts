import { DIGESTED_AREAS, MIGRATIONS, rebuildStopped } from '@laurel/areas';
import { clientConfig, dataSourceOf, migrate, type ConnectionOptions } from '@laurel/database';
import { distributedDigest } from '@laurel/distributed';
import { digestOf, type Digest } from '@laurel/projections';
import pg from 'pg';
import { openTestDatabase } from '../database.ts';

const ROWS_AT_A_TIME = 5_000;

/** The digest of the services' read models beside that of a standalone which has applied the same log. */
export interface ComparedDigests {
  /** Both without the ranks that were answered: these follow the order in which the boards' owner applied the events. */
  readonly distributed: Digest;
  readonly standalone: Digest;
}

/** Copies the log of the topology into an empty database and has the standalone's areas apply it. */
export async function compareWithStandalone(server: ConnectionOptions, account: string): Promise<ComparedDigests> {
  const reference = await openTestDatabase([]);
  try {
    await migrated(reference.connection);
    const distributed = await distributedDigest(server, account);
    await copyLog(server, reference.connection, distributed.position);
    await rebuildStopped(reference.connection, []);
    const standalone = await digestOf(clientConfig(reference.connection), account, DIGESTED_AREAS);
    return { distributed: withoutRanks(distributed), standalone: withoutRanks(standalone) };
  } finally {
    await reference.close();
  }
}

/** As a start of the standalone leaves an empty database. */
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

async function copyLog(from: ConnectionOptions, to: ConnectionOptions, head: number): Promise<void> {
  const [source, target] = [new pg.Client(clientConfig(from)), new pg.Client(clientConfig(to))];
  await Promise.all([source.connect(), target.connect()]);
  try {
    for (let after = 0; after < head;) {
      const { rows } = await source.query<{ records: unknown; last: string }>(
        `select json_agg(e) as records, max(position) as last from (
           select * from laurel_ingestion.events where position > $1 and position <= $2 order by position limit $3
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
  } finally {
    await Promise.all([source.end(), target.end()]);
  }
}
