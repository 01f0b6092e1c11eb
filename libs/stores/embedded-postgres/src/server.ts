import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { probe, type EmbeddedConnection } from './connection.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { explainSpawnError, type Installation } from './initialise.ts';
import { programEnvironment, spawnIdentity } from './run-program.ts';
import type { ServerLog } from './server-log.ts';

export interface ServerExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A server process that this process started. */
export interface Server {
  readonly process: ChildProcess;
  readonly pid: number;
  /** Never rejects. */
  readonly exited: Promise<ServerExit>;
}

/**
 * Starts the server in a separate session, so that Ctrl-C in a terminal reaches only this process, which still needs the server to drain.
 * The server does not keep this process alive.
 */
export async function spawnServer(
  { binaries, account }: Installation,
  parameters: readonly string[],
  log: ServerLog,
): Promise<Server> {
  const child = spawn(binaries.postgres, parameters, {
    ...spawnIdentity(account),
    cwd: '/',
    env: programEnvironment(),
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  const exited = new Promise<ServerExit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => reject(new EmbeddedPostgresError(explainSpawnError(error, binaries.postgres))));
  });
  child.unref();
  return { process: child, pid: child.pid as number, exited };
}

const POLL_MS = 5;
const SILENCE_LIMIT_MS = 60_000;

/**
 * Resolves when the server accepts clients. Recovery after a crash may take minutes, in which the server answers, so only silence counts
 * towards the limit.
 */
export async function waitUntilReady(server: Server, connection: EmbeddedConnection, log: ServerLog): Promise<void> {
  let exit: ServerExit | null = null;
  void server.exited.then((value) => (exit = value));
  for (let silentMs = 0; silentMs < SILENCE_LIMIT_MS; silentMs += POLL_MS) {
    if (exit !== null) throw new EmbeddedPostgresError(await explainExit(exit, log));
    const answer = await probe(connection);
    if (answer.kind === 'ready') return;
    if (answer.kind === 'refused')
      throw new EmbeddedPostgresError(`The embedded database refuses us: ${answer.error.message}`);
    if (answer.kind === 'busy') silentMs = 0;
    await delay(POLL_MS);
  }
  throw new EmbeddedPostgresError(`The embedded database does not answer. Its last messages:\n${await log.tail()}`);
}

async function explainExit({ code, signal }: ServerExit, log: ServerLog): Promise<string> {
  const how = signal === null ? `code ${code}` : signal;
  return `The embedded database ended while it started (${how}). Its last messages:\n${await log.tail()}`;
}

const FAST_STOP_PATIENCE_MS = 60_000;

/** Disconnects all clients, writes a checkpoint, and ends. If that takes too long, the server ends at once, and the next start recovers. */
export async function stopServer(server: Server): Promise<void> {
  server.process.ref();
  server.process.kill('SIGINT');
  const timer = setTimeout(() => server.process.kill('SIGQUIT'), FAST_STOP_PATIENCE_MS);
  await server.exited;
  clearTimeout(timer);
}
