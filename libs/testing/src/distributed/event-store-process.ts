import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const place = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export interface FakeEventStoreProcess {
  readonly url: string;
  stop(): Promise<void>;
}

/** Runs the fake EventStoreDB in a separate process, which ends with `stop`. */
export async function startFakeEventStoreProcess(): Promise<FakeEventStoreProcess> {
  const program = place('../event-store-db/fake-event-store-db-process.ts');
  const flags = [
    '--no-warnings',
    '--conditions=@laurel/source',
    '--import',
    place('../typescript-loader.mjs'),
    program,
  ];
  const child = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  let printed = '';
  child.stdout.on('data', (data) => (printed += String(data)));
  while (!printed.includes('\n')) {
    const [how] = await Promise.race([once(child.stdout, 'data').then(() => ['data']), ended]);
    if (how !== 'data') throw new Error(`the fake EventStoreDB ended before it was ready: ${String(how)}`);
  }
  return {
    url: printed.trim(),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
