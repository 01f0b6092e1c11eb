import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, isReady, start, stop, waitUntil } from './processes.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LIMIT_MS = 120_000;

/**
 * Starts the built standalone service on a free port, with a folder of its own, and stops it when the work is done; the folder is then
 * deleted. If the work fails, what the service has logged is printed.
 *
 * @param {{ apiKey: string, variables?: Record<string, string> }} options
 * @param {(service: { url: string, env: Record<string, string | undefined> }) => Promise<void>} work `env` is that of the service
 */
export async function withStandalone({ apiKey, variables = {} }, work) {
  const folder = mkdtempSync(join(tmpdir(), 'laurel-own-'));
  // If this runs as root, Postgres runs under another account, which must be able to enter the folder.
  chmodSync(folder, 0o755);
  const log = join(folder, 'service.log');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    ...{ ...process.env, ...variables },
    ...{ LAUREL_PORT: String(port), LAUREL_DATA_DIR: join(folder, 'data'), LAUREL_API_KEY: apiKey },
  };
  const service = start('the service', process.execPath, ['apps/standalone/dist/main.js'], { cwd: ROOT, env, log });
  try {
    await waitUntil(() => isReady(url), 'it is ready', { limitMs: LIMIT_MS, program: service });
    await work({ url, env });
  } catch (error) {
    console.error(readFileSync(log, 'utf8'));
    throw error;
  } finally {
    await stop(service, { limitMs: LIMIT_MS });
    rmSync(folder, { recursive: true });
  }
}
