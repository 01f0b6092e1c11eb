import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';

const made: string[] = [];

/** A folder that does not exist yet, in a new folder that every account can pass; removed by {@link removeDataDirs}. */
export async function newDataDir(): Promise<string> {
  const parent = await mkdtemp('/tmp/laurel-int-');
  made.push(parent);
  await chmod(parent, 0o755);
  return join(parent, 'data');
}

export async function removeDataDirs(): Promise<void> {
  for (const parent of made.splice(0)) await rm(parent, { recursive: true, force: true });
}
