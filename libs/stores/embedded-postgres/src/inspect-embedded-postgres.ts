import { join } from 'node:path';
import { connectionTo, probe, type EmbeddedConnection } from './connection.ts';
import { dataFolderAt, exists, findSocketDir, readPassword } from './data-folder.ts';

/** `running`: a server answers, although it may still be starting or already be stopping. */
export type Inspection =
  { readonly state: 'absent' | 'stopped' } | { readonly state: 'running'; readonly connection: EmbeddedConnection };

/** The state of a data folder, without changing it, for commands that read while the service runs. */
export async function inspectEmbeddedPostgres(dataDir: string): Promise<Inspection> {
  const folder = await dataFolderAt(dataDir);
  if (!(await exists(join(folder.pgData, 'PG_VERSION')))) return { state: 'absent' };
  const password = await readPassword(folder);
  if (!password) return { state: 'stopped' };
  const connection = connectionTo(await findSocketDir(folder), password);
  const answer = await probe(connection);
  return answer.kind === 'ready' || answer.kind === 'busy' ? { state: 'running', connection } : { state: 'stopped' };
}
