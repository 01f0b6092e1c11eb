import { join } from 'node:path';
import { connectionTo, probe } from './connection.ts';
import type { EmbeddedConnection } from './connection.ts';
import { dataFolderAt, exists, findSocketDir, readPassword } from './data-folder.ts';

/** `running`: a server answers there, though it may still be starting up or already stopping. */
export type Inspection =
  { readonly state: 'absent' | 'stopped' } | { readonly state: 'running'; readonly connection: EmbeddedConnection };

/** What is in a data folder, without touching it; for commands that read while the service runs. */
export async function inspectEmbeddedPostgres(dataDir: string): Promise<Inspection> {
  const folder = await dataFolderAt(dataDir);
  if (!(await exists(join(folder.pgData, 'PG_VERSION')))) return { state: 'absent' };
  const password = await readPassword(folder);
  if (!password) return { state: 'stopped' };
  const connection = connectionTo(await findSocketDir(folder), password);
  const answer = await probe(connection);
  return answer.kind === 'ready' || answer.kind === 'busy' ? { state: 'running', connection } : { state: 'stopped' };
}
