import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { inspectEmbeddedPostgres, startEmbeddedPostgres, type EmbeddedConnection } from './index.ts';
import { findServerProcesses, isAlive, sendSignal } from './server-processes.ts';
import { beginServerInChild, outputOf, startServerInChild } from './test-support/child-server.ts';
import { newDataDir, removeDataDirs } from './test-support/data-dirs.ts';
import { query } from './test-support/query.ts';

const until = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await condition())) await pause(5);
};
const pgDataOf = (dataDir: string): string => join(dataDir, 'postgres');
/** Ended; a process that nobody has collected yet still has its number. */
const hasEnded = async (pid: number): Promise<boolean> =>
  !isAlive(pid) || (await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z')).includes(') Z');

afterAll(removeDataDirs);

describe('after kill -9', () => {
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await newDataDir();
    const server = await startEmbeddedPostgres({ dataDir });
    await query(server.connection, 'create table acknowledged (n int primary key)');
    await server.stop();
  });

  it('of the process its server ends by itself', async () => {
    const child = await startServerInChild(dataDir);
    await child.kill();
    await until(() => hasEnded(child.serverPid));
    await until(async () => (await findServerProcesses(pgDataOf(dataDir))).length === 0);
    expect(await inspectEmbeddedPostgres(dataDir)).toEqual({ state: 'stopped' });
  });

  it('of the process the next start needs no cleaning up', async () => {
    const child = await startServerInChild(dataDir);
    await query(child.connection, 'insert into acknowledged values (1)');
    await child.kill();
    const next = await startEmbeddedPostgres({ dataDir });
    expect(next.pid).not.toBe(child.serverPid);
    expect(await query(next.connection, 'select n from acknowledged')).toEqual([{ n: 1 }]);
    await next.stop();
  });

  it('of the process and its guard the next start ends the orphaned server and reports it', async () => {
    const child = await startServerInChild(dataDir);
    sendSignal(child.guardPid as number, 'SIGKILL');
    await child.kill();
    await query(child.connection, 'insert into acknowledged values (2)');
    expect(await hasEnded(child.serverPid)).toBe(false);
    const messages: string[] = [];
    const next = await startEmbeddedPostgres({ dataDir, log: (message) => messages.push(message) });
    expect(await hasEnded(child.serverPid)).toBe(true);
    expect(messages).toEqual([
      expect.stringMatching(new RegExp(`left behind in .*postgres.*\\b${child.serverPid}\\b`)),
    ]);
    expect(await query(next.connection, 'select n from acknowledged order by n')).toEqual([{ n: 1 }, { n: 2 }]);
    await next.stop();
  });

  it('of the process and its guard an orphaned server is found even with busy clients and an empty pid file', async () => {
    const child = await startServerInChild(dataDir);
    sendSignal(child.guardPid as number, 'SIGKILL');
    const sleeping = query(child.connection, 'select pg_sleep(1000)').catch((error: Error) => error);
    await until(
      async () =>
        (await query(child.connection, `select 1 from pg_stat_activity where query like 'select pg_sleep%'`)).length >
        0,
    );
    await child.kill();
    await writeFile(join(pgDataOf(dataDir), 'postmaster.pid'), '');
    const next = await startEmbeddedPostgres({ dataDir });
    expect(await sleeping).toBeInstanceOf(Error);
    expect(await hasEnded(child.serverPid)).toBe(true);
    await next.stop();
  });

  it('of the server the next start waits for the processes that it left behind', async () => {
    const child = await startServerInChild(dataDir);
    sendSignal(child.guardPid as number, 'SIGKILL');
    const computing = query(child.connection, 'select count(*) from generate_series(1, 100000000000)').catch(
      (error: Error) => error,
    );
    await until(
      async () =>
        (await query(child.connection, `select 1 from pg_stat_activity where query like 'select count%'`)).length > 0,
    );
    sendSignal(child.serverPid, 'SIGKILL');
    await child.kill();
    const next = await startEmbeddedPostgres({ dataDir });
    expect(await findServerProcesses(pgDataOf(dataDir))).toContain(next.pid);
    expect(await computing).toBeInstanceOf(Error);
    await next.stop();
  });

  it.each([1, 2, 3])('of everything at once no acknowledged row is lost (round %i)', async (round) => {
    const child = await startServerInChild(dataDir);
    const acknowledged: number[] = [];
    const writing = writeRows(child.connection, round * 1_000_000, acknowledged);
    await until(() => acknowledged.length > 50 * round);
    sendSignal(child.guardPid as number, 'SIGKILL');
    sendSignal(child.serverPid, 'SIGKILL');
    await child.kill();
    await writing;
    const next = await startEmbeddedPostgres({ dataDir });
    const rows = await query<{ n: number }>(next.connection, 'select n from acknowledged');
    const found = new Set(rows.map(({ n }) => n));
    expect(acknowledged.length).toBeGreaterThan(50 * round);
    expect(acknowledged.filter((n) => !found.has(n))).toEqual([]);
    await next.stop();
  });

  it('of a start that is still creating the database the next start begins anew', async () => {
    const fresh = await newDataDir();
    const child = beginServerInChild(fresh);
    outputOf(child).catch(() => undefined);
    const drafts = async (): Promise<string[]> =>
      (await readdir(fresh).catch((): string[] => [])).filter((name) => name.startsWith('postgres.draft-'));
    await until(async () => {
      const [draft] = await drafts();
      return draft !== undefined && (await stat(join(fresh, draft, 'base')).catch(() => null)) !== null;
    });
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await inspectEmbeddedPostgres(fresh)).toEqual({ state: 'absent' });
    const next = await startEmbeddedPostgres({ dataDir: fresh });
    expect(await query(next.connection, 'select 1 as alive')).toEqual([{ alive: 1 }]);
    expect(await drafts()).toEqual([]);
    await next.stop();
  });

  it('of a test process its throwaway server and data folder are removed', async () => {
    const fresh = await newDataDir();
    const child = await startServerInChild(fresh, { unsafeForTests: true });
    await child.kill();
    await until(() => hasEnded(child.serverPid));
    await until(async () => (await stat(fresh).catch(() => null)) === null);
  });
});

async function writeRows(connection: EmbeddedConnection, from: number, acknowledged: number[]): Promise<void> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  try {
    for (let n = from; ; n += 1) {
      await client.query('insert into acknowledged values ($1)', [n]);
      acknowledged.push(n);
    }
  } catch {
    await client.end().catch(() => undefined);
  }
}

describe('a pid file that a dead server left behind', () => {
  let dataDir: string;
  let pidFile: string;
  let leftBehind: string;
  beforeAll(async () => {
    dataDir = await newDataDir();
    pidFile = join(pgDataOf(dataDir), 'postmaster.pid');
    const child = await startServerInChild(dataDir);
    sendSignal(child.guardPid as number, 'SIGKILL');
    leftBehind = await readFile(pidFile, 'utf8');
    sendSignal(child.serverPid, 'SIGKILL');
    await child.kill();
  });

  const naming = (pid: number | string): string => leftBehind.replace(/^\d+/, String(pid));
  const startsWith = async (content: string): Promise<void> => {
    await writeFile(pidFile, content);
    const server = await startEmbeddedPostgres({ dataDir });
    expect(await query(server.connection, 'select 1 as alive')).toEqual([{ alive: 1 }]);
    await server.stop();
  };

  it('does not prevent a start as it is', () => startsWith(leftBehind));
  it('does not prevent a start when it names this very process', () => startsWith(naming(process.pid)));
  it('does not prevent a start when it names the first process', () => startsWith(naming(1)));
  it('does not prevent a start when it names another thread of a living process', async () => {
    const threads = await readdir('/proc/self/task').catch(() => [String(process.pid)]);
    await startsWith(naming(threads.at(-1) as string));
  });
  it("does not prevent a start when it names another process under the server's account", async () => {
    const owner = await stat(pgDataOf(dataDir));
    const stranger = spawn('sleep', ['1000'], { uid: owner.uid, gid: owner.gid, cwd: '/' });
    await once(stranger, 'spawn');
    try {
      await startsWith(naming(stranger.pid as number));
      expect(isAlive(stranger.pid as number)).toBe(true);
    } finally {
      stranger.kill();
    }
  });
  it('does not prevent a start when it names a living server of another folder, which keeps running', async () => {
    const other = await startEmbeddedPostgres({ dataDir: await newDataDir(), unsafeForTests: true });
    try {
      await startsWith(naming(other.pid));
      expect(await query(other.connection, 'select 1 as alive')).toEqual([{ alive: 1 }]);
    } finally {
      await other.stop();
    }
  });
  it.each(['', '\n', 'garbage', '-1\n', '0\n', '99999999999999999999\n', '\0\0\0\0', `12345`])(
    'does not prevent a start when it holds %j',
    (content) => startsWith(content),
  );
  it('does not prevent a start beside a stale socket and its lock file', async () => {
    const socket = join(dataDir, 'socket', '.s.PGSQL.5432');
    await rm(socket, { force: true });
    await writeFile(socket, '');
    await writeFile(`${socket}.lock`, naming(1));
    await startsWith(naming(1));
  });
});

describe('a server that is restarted automatically', () => {
  it('returns on the same socket after kill -9, with everything it acknowledged', async () => {
    const server = await startEmbeddedPostgres({ dataDir: await newDataDir(), restart: true });
    const exits: unknown[] = [];
    server.onExit((exit) => exits.push(exit));
    await query(server.connection, 'create table acknowledged (n int primary key)');
    for (const n of [1, 2]) {
      await query(server.connection, `insert into acknowledged values (${n})`);
      const killed = server.pid;
      const restarted = new Promise((resolve) => server.onRestart(resolve));
      sendSignal(killed, 'SIGKILL');
      expect(await restarted).toMatchObject({ signal: 'SIGKILL' });
      expect(server.pid).not.toBe(killed);
      expect(await query(server.connection, 'select max(n) as n from acknowledged')).toEqual([{ n }]);
    }
    await server.stop();
    expect(exits).toEqual([]);
    expect(await hasEnded(server.pid)).toBe(true);
  });

  it('is given up when it cannot start again, which is reported once', async () => {
    const dataDir = await newDataDir();
    const server = await startEmbeddedPostgres({ dataDir, restart: true });
    const exits: unknown[] = [];
    const gone = new Promise((resolve) => server.onExit(resolve));
    server.onExit((exit) => exits.push(exit));
    await rm(join(pgDataOf(dataDir), 'global'), { recursive: true });
    sendSignal(server.pid, 'SIGKILL');
    expect(await gone).toMatchObject({ signal: 'SIGKILL' });
    expect(exits).toHaveLength(1);
    await server.stop();
    expect(exits).toHaveLength(1);
  });

  it('stays stopped if it is stopped during a restart', async () => {
    const server = await startEmbeddedPostgres({ dataDir: await newDataDir(), restart: true });
    sendSignal(server.pid, 'SIGKILL');
    await until(() => hasEnded(server.pid));
    await server.stop();
    expect(await findServerProcesses(pgDataOf(server.connection.host.replace(/\/socket$/, '')))).toEqual([]);
  });

  it('counts as stopped only when all its processes have ended', async () => {
    const dataDir = await newDataDir();
    const server = await startEmbeddedPostgres({ dataDir, restart: true });
    const worker = (await findServerProcesses(pgDataOf(dataDir))).find((pid) => pid !== server.pid) as number;
    sendSignal(worker, 'SIGSTOP');
    sendSignal(server.pid, 'SIGKILL');
    const left = server.stop().then(() => findServerProcesses(pgDataOf(dataDir)));
    await until(() => hasEnded(server.pid));
    await pause(200);
    sendSignal(worker, 'SIGCONT');
    expect(await left).toEqual([]);
  });
});
