import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { EmbeddedConnection } from '@laurel/embedded-postgres';
import { freePort } from '../faults/tools.ts';

export interface PgBouncer {
  /** The same database, through the pooler. */
  readonly connection: EmbeddedConnection;
  /** The URL for LAUREL_DATABASE_URL. */
  readonly url: string;
  close(): Promise<void>;
}

interface PgBouncerTools {
  findPgBouncer(): {
    readonly program: string;
    readonly env: Readonly<Record<string, string>>;
    readonly settings: string | null;
  } | null;
  readonly HOW_TO_INSTALL: string;
}

/**
 * Starts a PgBouncer with the settings of its package, changed by the given ones.
 * @throws Error that says how to install one, if there is none
 */
export async function startPgBouncer(
  target: EmbeddedConnection,
  settings: Readonly<Record<string, string>> = {},
): Promise<PgBouncer> {
  const tools = new URL('../../../../tools/pgbouncer.mjs', import.meta.url);
  const { findPgBouncer, HOW_TO_INSTALL } = (await import(tools.href)) as PgBouncerTools;
  const found = findPgBouncer();
  if (found === null) throw new Error(`There is no PgBouncer. ${HOW_TO_INSTALL}`);
  // It refuses to run as root, and must be able to reach the server's socket.
  const { uid, gid } = await stat(target.host);
  const folder = await mkdtemp(join(tmpdir(), 'laurel-pgbouncer-'));
  await chown(folder, uid, gid);
  const port = await freePort();
  const own = {
    ...{ listen_addr: '127.0.0.1', listen_port: port, unix_socket_dir: '' },
    ...{ logfile: join(folder, 'log'), pidfile: join(folder, 'pid'), auth_file: join(folder, 'users') },
    ...settings,
  };
  const lines = [
    ...(found.settings === null ? [] : [`%include ${found.settings}`]),
    '[databases]',
    `${target.database} = host=${target.host} port=${target.port}`,
    '[pgbouncer]',
    ...Object.entries(own).map(([name, value]) => `${name} = ${value}`),
  ];
  await writeFile(join(folder, 'users'), `"${target.user}" "${target.password}"\n`);
  await writeFile(join(folder, 'settings.ini'), `${lines.join('\n')}\n`);
  const child = spawn(found.program, ['-q', join(folder, 'settings.ini')], {
    env: { ...process.env, ...found.env },
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(process.geteuid?.() === 0 && { uid, gid }),
  });
  let printed = '';
  child.stderr.on('data', (chunk) => (printed += String(chunk)));
  const ended = once(child, 'exit');
  while (!(await isOpen(port))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended: ${printed}`);
    await pause(20);
  }
  const connection = { ...target, host: '127.0.0.1', port };
  return {
    connection,
    url: `postgres://${target.user}:${encodeURIComponent(target.password)}@127.0.0.1:${port}/${target.database}`,
    close: async () => {
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    }).on('error', () => resolve(false));
  });
