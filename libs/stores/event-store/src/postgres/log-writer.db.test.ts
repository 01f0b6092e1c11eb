import { openDatabaseProxy, openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { FencedError, LogInUseError } from '../event-store.ts';
import { eventStoreMigrations } from '../migrations.ts';
import { LogWriter } from './log-writer.ts';

let database: TestDatabase;
const writers: LogWriter[] = [];

beforeEach(async () => {
  database = await openTestDatabase(eventStoreMigrations);
});
afterEach(async () => {
  for (const writer of writers.splice(0)) await writer.close();
  await database.close();
});

describe('a writer with exclusive use of the event store', () => {
  it('refuses a second exclusive or shared writer while it lives', async () => {
    const first = await kept(LogWriter.open(database.config));
    let prepared = false;
    const prepare = () => Promise.resolve(void (prepared = true));
    await expect(LogWriter.open(database.config, prepare)).rejects.toThrow(LogInUseError);
    await expect(LogWriter.share(database.config, prepare)).rejects.toThrow(LogInUseError);
    expect(prepared).toBe(false);
    await first.close();
    await whenFree(() => kept(LogWriter.open(database.config, prepare)));
    expect(prepared).toBe(true);
  });

  it('raises the epoch, and is fenced once a later writer has raised it', async () => {
    const first = await kept(LogWriter.open(database.config));
    await cutWriters();
    const second = await whenFree(() => kept(LogWriter.open(database.config)));
    expect(second.epoch).toBe(first.epoch + 1);
    await ended(first);
    await expect(first.connect()).rejects.toThrow(FencedError);
    await expect(first.query('one', 'select 1', [])).rejects.toThrow(FencedError);
  });

  it('resumes after its connection was cut', async () => {
    const writer = await kept(LogWriter.open(database.config));
    await cutWriters();
    await ended(writer);
    expect(await writer.query('one', 'select 1 as one', [])).toEqual([{ one: 1 }]);
    await expect(LogWriter.open(database.config)).rejects.toThrow(LogInUseError);
  });
});

describe('writers that share the event store', () => {
  it('coexist under one epoch, and keep out an exclusive writer', async () => {
    const [first, second] = [
      await kept(LogWriter.share(database.config)),
      await kept(LogWriter.share(database.config)),
    ];
    expect(second.epoch).toBe(first.epoch);
    await expect(LogWriter.open(database.config)).rejects.toThrow(LogInUseError);
    await first.close();
    await expect(LogWriter.open(database.config)).rejects.toThrow(LogInUseError);
    await second.close();
    const alone = await whenFree(() => kept(LogWriter.open(database.config)));
    expect(alone.epoch).toBe(second.epoch + 1);
  });

  it('are fenced once an exclusive writer has taken over', async () => {
    const shared = await kept(LogWriter.share(database.config));
    await cutWriters();
    await whenFree(() => kept(LogWriter.open(database.config)));
    await ended(shared);
    await expect(shared.connect()).rejects.toThrow(FencedError);
  });

  it('end their old session before they resume', async () => {
    const proxy = await openDatabaseProxy(database.connection);
    const writer = await kept(LogWriter.share({ ...database.config, ...proxy.connection }));
    const [before] = await sessions();
    // The network between goes without a word: the server works on, and would still carry the statement out.
    proxy.failNext('slow', ['silent']);
    await expect(writer.query('slow', 'select pg_sleep(60)', [])).rejects.toThrow();
    expect(await sessions()).toEqual([before]);
    await writer.connect();
    expect(await sessions()).toEqual([expect.not.objectContaining(before as object)]);
    await proxy.close();
  });
});

async function kept(opening: Promise<LogWriter>): Promise<LogWriter> {
  const writer = await opening;
  writers.push(writer);
  return writer;
}

const sessions = (): Promise<{ pid: number }[]> =>
  database.sql.query(
    `select pid from pg_stat_activity where application_name = 'laurel-writer' and datname = current_database()`,
    [],
  ) as Promise<{ pid: number }[]>;

/** Ends every writer's session, as a server does that is stopped. */
const cutWriters = (): Promise<unknown> =>
  database.sql.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'laurel-writer' and datname = current_database()`,
    [],
  );

/** Until the writer, too, knows that its connection has gone. */
async function ended(writer: LogWriter): Promise<void> {
  await writer.query('probe', 'select 1', []).catch(() => undefined);
}

/** The server may take a moment to let go of the lock of a session that has ended. */
async function whenFree<T>(open: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof LogInUseError)) throw error;
    }
  }
}
