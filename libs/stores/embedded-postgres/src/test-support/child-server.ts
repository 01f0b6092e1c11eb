import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { EmbeddedConnection } from '../index.ts';

/** A separate process with a server, to be killed. */
export interface ChildServer {
  readonly process: ChildProcess;
  readonly pid: number;
  readonly serverPid: number;
  readonly guardPid: number | undefined;
  readonly connection: EmbeddedConnection;
  stop(): Promise<void>;
  /** Sends SIGKILL and waits for the end. */
  kill(): Promise<void>;
}

export interface ChildOptions {
  readonly uid?: number;
  readonly gid?: number;
  readonly path?: string;
  readonly unsafeForTests?: boolean;
}

const PROGRAM = `
  import { startEmbeddedPostgres } from '@laurel/embedded-postgres';
  const [dataDir, mode] = process.argv.slice(1);
  try {
    const server = await startEmbeddedPostgres({ dataDir, unsafeForTests: mode === 'unsafe' });
    console.log(JSON.stringify({ serverPid: server.pid, guardPid: server.guardPid, connection: server.connection }));
    process.stdin.once('data', () => server.stop().then(() => process.exit(0)));
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
`;
const REPOSITORY = fileURLToPath(new URL('../../../../../', import.meta.url));
const LOADER = fileURLToPath(new URL('../../../../testing/src/typescript-loader.mjs', import.meta.url));

export function spawnSources(program: string, parameters: readonly string[], options: ChildOptions = {}): ChildProcess {
  const flags = ['--no-warnings', '--conditions=@laurel/source', '--import', LOADER, '--input-type=module'];
  return spawn(process.execPath, [...flags, '-e', program, '--', ...parameters], {
    cwd: REPOSITORY,
    env: { ...process.env, NODE_OPTIONS: '', ...(options.path === undefined ? {} : { PATH: options.path }) },
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.gid ?? options.uid }),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** The output of a program that ended with code 0. @throws Error with its messages otherwise */
export async function outputOf(child: ChildProcess): Promise<string> {
  let output = '';
  let complaint = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(complaint);
  return output;
}

export const beginServerInChild = (dataDir: string, options: ChildOptions = {}): ChildProcess =>
  spawnSources(PROGRAM, [dataDir, options.unsafeForTests ? 'unsafe' : 'safe'], options);

/** Resolves when the server is ready. @throws Error with the child's message if it does not start */
export async function startServerInChild(dataDir: string, options: ChildOptions = {}): Promise<ChildServer> {
  const child = beginServerInChild(dataDir, options);
  const ended = outputOf(child).then(() => {
    throw new Error('the child ended without a word');
  });
  const line = once(child.stdout as NodeJS.EventEmitter, 'data').then(([chunk]) => String(chunk));
  const answer = JSON.parse(await Promise.race([line, ended])) as Omit<
    ChildServer,
    'process' | 'pid' | 'stop' | 'kill'
  >;
  ended.catch(() => undefined);
  const closed = once(child, 'exit');
  return {
    ...answer,
    process: child,
    pid: child.pid as number,
    stop: async () => {
      child.stdin?.write('stop\n');
      await closed;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await closed;
    },
  };
}
