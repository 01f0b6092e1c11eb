import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from './environment/environment.ts';
import { DEFAULT_DATA_DIR } from './environment/environment-variables.ts';

/** Where the data lies if the default folder is out of the database account's reach (a checkout below the home folder of root, started as root). */
const SYSTEM_DATA_DIR = '/var/lib/laurel';

/** Of the embedded database, inside its data folder. */
const DATABASE = 'postgres';

type Folders = readonly [string, ...string[]];

/**
 * The folders in which the embedded database may lie, the preferred one first. The demo gets a folder of its own, so that it never
 * mixes with real data; a folder that holds a database keeps it, also if LAUREL_CONFIG was lost (specification, section 9).
 */
export function dataFolders(environment: Environment): Folders {
  const { config, databaseUrl } = environment;
  const mayBeDemo = config === null && databaseUrl === null;
  const inside = (root: string): string => (mayBeDemo && !existsSync(join(root, DATABASE)) ? join(root, 'demo') : root);
  const [preferred, ...others] = dataRoots(environment);
  return [inside(preferred), ...others.map(inside)];
}

/** What {@link dataFolders} are, or lie in. */
export const dataRoots = ({ dataDir }: Pick<Environment, 'dataDir'>): Folders =>
  dataDir === DEFAULT_DATA_DIR ? [dataDir, SYSTEM_DATA_DIR] : [dataDir];
