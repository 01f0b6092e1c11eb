import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tools, type Program } from './tools.ts';
import type { WatchedService } from './status-watch.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const MAIN = 'apps/standalone/dist/main.js';
const READY_WITHIN_MS = 180_000;
const API_KEY = 'a key for faults, of 24 characters';

/** The built standalone in a separate process, to be killed, frozen and restarted on the same port. */
export interface StandaloneUnderTest extends WatchedService {
  readonly pid: number;
  /** Its output of all starts. */
  readonly printed: () => string;
  /** Restarts it after `kill`; resolves when it is ready. */
  start(): Promise<void>;
  kill(): Promise<void>;
  stop(): Promise<void>;
  /** Whether it has ended without being killed or stopped. */
  hasEnded(): boolean;
}

/**
 * @param folder for its log
 * @param changing called at each start; returns variables to change
 */
export async function startStandalone(
  folder: string,
  environment: Readonly<Record<string, string>>,
  changing: () => Readonly<Record<string, string>> = () => ({}),
): Promise<StandaloneUnderTest> {
  const { start, waitUntil, isReady, freePort, guardAgainstOrphan } = await tools();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const log = join(folder, 'standalone.log');
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('LAUREL_') && name !== 'NODE_OPTIONS',
  );
  const env = {
    ...Object.fromEntries(inherited),
    LAUREL_PORT: String(port),
    LAUREL_API_KEY: API_KEY,
    LAUREL_LOG_LEVEL: 'info',
    ...environment,
  };
  let program: Program | null = null;
  let guard = { dismiss: (): void => undefined };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (program === null) return;
    if (!program.hasEnded()) process.kill(program.pid, signal);
    await program.ended;
    guard.dismiss();
    program = null;
  };
  const standalone: StandaloneUnderTest = {
    url,
    apiKey: API_KEY,
    get pid() {
      return program?.pid ?? 0;
    },
    printed: () => readFileSync(log, 'utf8'),
    start: async () => {
      program = start('the standalone', process.execPath, [MAIN], { cwd: ROOT, env: { ...env, ...changing() }, log });
      guard = guardAgainstOrphan({ pid: program.pid, mark: MAIN, folder: null });
      await waitUntil(() => isReady(url), `the standalone is ready (${log})`, { limitMs: READY_WITHIN_MS, program });
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    hasEnded: () => program?.hasEnded() ?? false,
  };
  await standalone.start();
  return standalone;
}
