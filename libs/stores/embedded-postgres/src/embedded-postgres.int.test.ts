import { lstat, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DataFolderInUseError, EmbeddedPostgresError } from './embedded-postgres-error.ts';
import {
  assertDurable,
  inspectEmbeddedPostgres,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type UnexpectedExit,
} from './index.ts';
import { newDataDir, removeDataDirs } from './test-support/data-dirs.ts';
import { query } from './test-support/query.ts';

afterAll(removeDataDirs);

const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

describe('an embedded server', () => {
  let dataDir: string;
  let server: EmbeddedPostgres;

  beforeAll(async () => {
    dataDir = join(dirname(await newDataDir()), 'made', 'on demand');
    expect(await inspectEmbeddedPostgres(dataDir)).toEqual({ state: 'absent' });
    server = await startEmbeddedPostgres({ dataDir });
  });

  afterAll(() => server.stop());

  it('is Postgres 18, reachable by connection options and by URL', async () => {
    for (const connection of [server.connection, server.url]) {
      const [row] = await query(
        connection,
        `select current_setting('server_version_num')::int / 10000 as major, current_database() as database, current_user as role`,
      );
      expect(row).toEqual({ major: 18, database: 'laurel', role: 'laurel' });
    }
  });

  it('opens no TCP port and protects its files from other users', async () => {
    const [row] = await query(server.connection, `select current_setting('listen_addresses') as addresses`);
    expect(row).toEqual({ addresses: '' });
    expect(await modeOf(join(dataDir, 'postgres'))).toBe('700');
    expect(await modeOf(server.connection.host)).toBe('700');
    expect(await modeOf(join(server.connection.host, '.s.PGSQL.5432'))).toBe('700');
    expect(await modeOf(join(dataDir, 'postgres.password'))).toBe('600');
    expect((await stat(dataDir)).mode & 0o007).toBe(0);
  });

  it('requires the password even on its socket', async () => {
    await expect(query({ ...server.connection, password: 'wrong' }, 'select 1')).rejects.toMatchObject({
      code: '28P01',
    });
  });

  it('sorts text by code point, independently of system libraries, and uses checksums', async () => {
    const [row] = await query(
      server.connection,
      `select datcollate, datctype, datlocprovider, datlocale, pg_encoding_to_char(encoding) as encoding,
              current_setting('data_checksums') as checksums, current_setting('timezone') as timezone
       from pg_database where datname = current_database()`,
    );
    expect(row).toEqual({
      datcollate: 'C',
      datctype: 'C',
      datlocprovider: 'b',
      datlocale: 'C.UTF-8',
      encoding: 'UTF8',
      checksums: 'on',
      timezone: 'UTC',
    });
  });

  it('is durable', async () => {
    await expect(
      assertDurable({ query: (sql, parameters) => query(server.connection, sql, parameters) }),
    ).resolves.toBeUndefined();
  });

  it('is found as running', async () => {
    expect(await inspectEmbeddedPostgres(dataDir)).toEqual({ state: 'running', connection: server.connection });
  });

  it('refuses a second start on its folder, naming the holder and the folder', async () => {
    const second = startEmbeddedPostgres({ dataDir });
    await expect(second).rejects.toBeInstanceOf(DataFolderInUseError);
    await expect(second).rejects.toMatchObject({ holderPid: process.pid, dataDir });
    await expect(second).rejects.toThrow(`${dataDir} is in use by process ${process.pid}`);
    expect(await query(server.connection, 'select 1 as alive')).toEqual([{ alive: 1 }]);
  });

  it('keeps its data across stop and start, and is found as stopped in between', async () => {
    await query(server.connection, 'create table kept as select generate_series(1, 1000) as n');
    await server.stop();
    await server.stop();
    expect(await inspectEmbeddedPostgres(dataDir)).toEqual({ state: 'stopped' });
    server = await startEmbeddedPostgres({ dataDir });
    expect(await query(server.connection, 'select count(*)::int as n from kept')).toEqual([{ n: 1000 }]);
  });

  it.each(['lost', 'empty'])('gets a new password if the password file is %s', async (how) => {
    const former = server.connection.password;
    await server.stop();
    if (how === 'lost') await rm(join(dataDir, 'postgres.password'));
    else await writeFile(join(dataDir, 'postgres.password'), '');
    server = await startEmbeddedPostgres({ dataDir });
    expect(server.connection.password).not.toBe(former);
    expect(await query(server.connection, 'select 1 as alive')).toEqual([{ alive: 1 }]);
    await expect(query({ ...server.connection, password: former }, 'select 1')).rejects.toMatchObject({
      code: '28P01',
    });
  });

  it('reports an unexpected exit once, and can be started again', async () => {
    const exit = new Promise<UnexpectedExit>((resolve) => server.onExit(resolve));
    process.kill(server.pid, 'SIGKILL');
    expect(await exit).toMatchObject({ signal: 'SIGKILL', code: null });
    await server.stop();
    server = await startEmbeddedPostgres({ dataDir });
    expect(await query(server.connection, 'select count(*)::int as n from kept')).toEqual([{ n: 1000 }]);
  });

  it('does not report an exit that was requested', async () => {
    const exits: UnexpectedExit[] = [];
    server.onExit((exit) => exits.push(exit));
    await server.stop();
    server = await startEmbeddedPostgres({ dataDir });
    expect(exits).toEqual([]);
  });

  it('shows the last messages of a server that fails to start, and frees the folder', async () => {
    await server.stop();
    const broken = startEmbeddedPostgres({ dataDir, settings: new Map([['shared_buffers', 'plenty']]) });
    await expect(broken).rejects.toBeInstanceOf(EmbeddedPostgresError);
    await expect(broken).rejects.toThrow('invalid value for parameter "shared_buffers": "plenty"');
    server = await startEmbeddedPostgres({ dataDir, settings: new Map([['max_connections', '7']]) });
    expect(await query(server.connection, 'show max_connections')).toEqual([{ max_connections: '7' }]);
  });

  it('does not let settings weaken durability or open a port', async () => {
    await server.stop();
    const settings = new Map([
      ['fsync', 'off'],
      ['full_page_writes', 'off'],
      ['synchronous_commit', 'off'],
      ['listen_addresses', '*'],
    ]);
    server = await startEmbeddedPostgres({ dataDir, settings });
    await assertDurable({ query: (sql, parameters) => query(server.connection, sql, parameters) });
    expect(await query(server.connection, 'show listen_addresses')).toEqual([{ listen_addresses: '' }]);
  });

  it('refuses data of another major version, and folders that hold no database', async () => {
    await server.stop();
    const version = join(dataDir, 'postgres', 'PG_VERSION');
    await writeFile(version, '17\n');
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow('was written by Postgres 17');
    await rename(version, `${version}.away`);
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow('is not a Postgres database');
    expect(await inspectEmbeddedPostgres(dataDir)).toEqual({ state: 'absent' });
    await rename(`${version}.away`, version);
    await writeFile(version, '18\n');
    server = await startEmbeddedPostgres({ dataDir });
    expect(await query(server.connection, 'select count(*)::int as n from kept')).toEqual([{ n: 1000 }]);
  });
});

describe('a data folder whose path is too long for a socket', () => {
  it('has its socket elsewhere, which readers find and a stop removes', async () => {
    const dataDir = join(dirname(await newDataDir()), 'with space, comma "and" quotes', 'd'.repeat(100));
    const server = await startEmbeddedPostgres({ dataDir, unsafeForTests: true });
    const socketDir = server.connection.host;
    expect(socketDir.startsWith(dataDir)).toBe(false);
    expect(await modeOf(socketDir)).toBe('700');
    expect(await inspectEmbeddedPostgres(dataDir)).toEqual({ state: 'running', connection: server.connection });
    expect(await query(server.url, 'select 1 as alive')).toEqual([{ alive: 1 }]);
    await server.stop();
    await expect(lstat(socketDir)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('may contain spaces, commas and quotes if it is short enough', async () => {
    const dataDir = join(dirname(await newDataDir()), `a b, "c" 'd' $e é`);
    const server = await startEmbeddedPostgres({ dataDir, unsafeForTests: true });
    expect(server.connection.host).toBe(join(dataDir, 'socket'));
    expect(await query(server.url, 'select 1 as alive')).toEqual([{ alive: 1 }]);
    await server.stop();
    await expect(lstat(dataDir)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('assertDurable', () => {
  it('refuses a server that may lose acknowledged events, naming each setting', async () => {
    const server = await startEmbeddedPostgres({ dataDir: await newDataDir(), unsafeForTests: true });
    const check = assertDurable({ query: (sql, parameters) => query(server.connection, sql, parameters) });
    await expect(check).rejects.toThrow('fsync is off, full_page_writes is off. Turn it on');
    await server.stop();
  });
});
