import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from './environment/environment.ts';
import { DEFAULT_DATA_DIR } from './environment/environment-variables.ts';

/**
 * Used if the database account cannot reach the default folder (started as root, from a checkout below root's home
 * folder).
 */
const SYSTEM_DATA_DIR = '/var/lib/laurel';

type Folders = readonly [string, ...string[]];

/** The possible data folders, the preferred one first. */
export const dataFolders = ({ dataDir }: Pick<Environment, 'dataDir'>): Folders =>
  dataDir === DEFAULT_DATA_DIR ? [dataDir, SYSTEM_DATA_DIR] : [dataDir];

/**
 * The folder inside the data folder in which release 0.1 kept the data of a service without LAUREL_CONFIG. A start
 * moves its contents up.
 */
export const formerDataFolder = (dataDir: string): string => join(dataDir, 'demo');

/** A data folder and, if it exists, the former one inside it: a process of release 0.1 may still use it. */
export function withFormerFolder(dataDir: string): readonly string[] {
  const former = formerDataFolder(dataDir);
  return existsSync(former) ? [dataDir, former] : [dataDir];
}
