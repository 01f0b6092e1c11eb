import type { Subject } from '@laurel/kernel';
import { invalidRequest, isVisible, knownUsers, ProblemError, type ProblemItem } from '@laurel/schemas';
import type { IngestionPorts } from './ports.ts';

type AssigningPorts = Pick<IngestionPorts, 'directory' | 'users'>;

/** Of these ids those that no new user may have: nothing of them can be seen. Users who have such an id keep it. */
export async function refusedIds(
  ports: AssigningPorts,
  account: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const invisible = ids.filter((id) => !isVisible(id));
  if (invisible.length === 0) return NONE;
  const known = await knownUsers(ports, account, invisible);
  return new Set(invisible.filter((id) => !known.has(id)));
}

const NONE: ReadonlySet<string> = new Set();

export const refusedId = (path: string): ProblemItem => ({ path, message: 'must have a visible character' });

/**
 * The subject of the user whom a request names, made if they have none.
 * @param path where the request names them
 * @throws ProblemError 422 for an id that no new user may have
 */
export async function assignSubject(
  ports: AssigningPorts,
  account: string,
  id: string,
  path: string,
): Promise<Subject> {
  const refused = await refusedIds(ports, account, [id]);
  if (refused.size > 0) throw new ProblemError(invalidRequest([refusedId(path)]));
  return ports.directory.assign(account, id);
}
