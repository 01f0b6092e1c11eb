import type { Subject } from '@laurel/kernel';
import { isVisible, knownUsers, type ProblemItem } from '@laurel/schemas';
import { invalidField } from '@laurel/runtime';
import type { IngestionPorts } from './ports.ts';

type AssigningPorts = Pick<IngestionPorts, 'directory' | 'users'>;

/** Ids without any visible character. New users must not have one; users who already have one keep it. */
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

const INVISIBLE = 'must have a visible character';
export const refusedId = (path: string): ProblemItem => ({ path, message: INVISIBLE });

/**
 * The subject of the user named in a request. A new user gets one.
 * @param path the field that names the user
 * @throws ProblemError 422 for an id that a new user must not have
 */
export async function assignSubject(
  ports: AssigningPorts,
  account: string,
  id: string,
  path: string,
): Promise<Subject> {
  const refused = await refusedIds(ports, account, [id]);
  if (refused.size > 0) throw invalidField(path, INVISIBLE);
  return ports.directory.assign(account, id);
}
