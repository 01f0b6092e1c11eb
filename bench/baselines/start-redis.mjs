import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const SERVER = process.env.BENCH_REDIS_SERVER ?? 'redis-server';
export const HOW_TO_INSTALL =
  'There is no redis-server: install one (Debian: apt-get install redis-server), or name one in BENCH_REDIS_SERVER.';

/** Its version, or null if there is none. */
export function redisVersion() {
  const { status, stdout } = spawnSync(SERVER, ['--version'], { encoding: 'utf8' });
  return status === 0 ? /v=(\S+)/.exec(stdout)[1] : null;
}

/** A server in a folder of its own, on a Unix socket; ends with the process that started it. */
export async function startRedis({ dataDir, appendfsync }) {
  mkdirSync(dataDir, { recursive: true });
  const socket = join(dataDir, 'redis.sock');
  const log = openSync(join(dataDir, 'redis.log'), 'a');
  const settings = { dir: dataDir, port: 0, unixsocket: socket, appendonly: 'yes', appendfsync, save: '' };
  const words = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const server = spawn(SERVER, words, { stdio: ['ignore', log, log] });
  const ended = once(server, 'exit');
  process.once('exit', () => server.kill());
  while (!existsSync(socket)) {
    if (server.exitCode !== null) throw new Error(`redis-server ended with ${server.exitCode}: see redis.log`);
    await sleep(20);
  }
  return {
    socket,
    stop: async () => {
      server.kill();
      await ended;
    },
  };
}
