import { join } from 'node:path';
import type { Environment } from './environment/environment.ts';
import { DEFAULT_DATA_DIR } from './environment/environment-variables.ts';

/** Where the data lies if the default folder is out of the database account's reach (a checkout below the home folder of root, started as root). */
const SYSTEM_DATA_DIR = '/var/lib/laurel';

/**
 * The folders in which the embedded database may lie, the preferred one first. Without a configuration of the operator's own
 * the demo gets a folder of its own, so that it never mixes with real data (specification, section 9).
 */
export function dataFolders({ dataDir, config }: Environment): readonly [string, ...string[]] {
  const inside = (root: string): string => (config === null ? join(root, 'demo') : root);
  return dataDir === DEFAULT_DATA_DIR ? [inside(dataDir), inside(SYSTEM_DATA_DIR)] : [inside(dataDir)];
}
