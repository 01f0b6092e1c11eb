import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, isReady, start, stop, waitUntil } from '../tools/processes.mjs';

export const API_KEY = 'a key for benchmarks, 24 characters';

/** Starts the built service on a data folder of its own, as `npm start` does. */
export async function startService(configuration) {
  const folder = mkdtempSync(join(tmpdir(), 'laurel-bench-'));
  // As root, Postgres runs as another user, who must be able to pass through.
  chmodSync(folder, 0o755);
  const config = join(folder, 'laurel.yaml');
  writeFileSync(config, configuration);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    ...process.env,
    LAUREL_PORT: String(port),
    LAUREL_DATA_DIR: join(folder, 'data'),
    LAUREL_CONFIG: config,
    LAUREL_API_KEY: API_KEY,
    LAUREL_LOG_LEVEL: 'warn',
  };
  const flags = ['--max-semi-space-size=64', 'apps/standalone/dist/main.js'];
  const program = start('the service', process.execPath, flags, { env, log: join(folder, 'service.log') });
  await waitUntil(() => isReady(url), 'the service is ready', { limitMs: 60_000, program });
  return {
    url,
    close: async () => {
      await stop(program, { limitMs: 30_000 });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export const machine = () =>
  `${cpus()[0]?.model.trim()}, ${cpus().length} cores, Node ${process.version}, Postgres 18 embedded, all on this machine`;

export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
