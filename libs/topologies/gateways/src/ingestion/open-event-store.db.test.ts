import { INGESTION_MIGRATIONS } from '@laurel/processes';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { assertLogExists } from './open-event-store.ts';

const ESDB = 'esdb://127.0.0.1:2113?tls=false';

describe('the log of an installation', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await openTestDatabase(INGESTION_MIGRATIONS);
  });
  afterEach(() => database.close());

  const publish = () => database.sql.query(`insert into publications values ('default', 1, '{}', now())`, []);
  const record = () =>
    database.sql.query(
      `insert into events (position, event_id, account, type, imported, schema_version, configuration_version, occurred_at, recorded_at, data)
       values (1, gen_random_uuid(), 'default', 7, false, 2, 1, now(), now(), '{}')`,
      [],
    );

  it('may start in either store', async () => {
    for (const url of [null, ESDB]) await expect(assertLogExists(url, database.sql)).resolves.toBeUndefined();
  });

  it('is not started again in Postgres when LAUREL_EVENTSTORE_URL is lost', async () => {
    await publish();
    await expect(assertLogExists(ESDB, database.sql)).resolves.toBeUndefined();
    await expect(assertLogExists(null, database.sql)).rejects.toThrow(
      /^LAUREL_EVENTSTORE_URL is not set, but the log of this installation is not in Postgres/,
    );
  });

  it('is not started again in EventStoreDB when it is in Postgres', async () => {
    await publish();
    await record();
    await expect(assertLogExists(null, database.sql)).resolves.toBeUndefined();
    await expect(assertLogExists(ESDB, database.sql)).rejects.toThrow(/^LAUREL_EVENTSTORE_URL is set, but the log/);
  });
});
