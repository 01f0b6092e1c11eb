import { formatInstant } from '@laurel/calendar';
import type { Subject } from '@laurel/kernel';
import type { AdministrationPorts } from '../ports.ts';
import type { Query } from '@laurel/runtime';
import { isInstantAndSubject, PageQuery, pageOf } from './page-query.ts';

/** Sorted newest first, then by subject. */
type Place = readonly [at: number, subject: Subject];

/** Users, each with the instant at which they joined the list. */
export interface ListOfUsers {
  readonly account: string;
  /** Identifies the list: a cursor of another list is refused. */
  readonly name: string;
  /** Reads the first `limit` places after `after`. */
  readonly read: (after: Place | null, limit: number) => Promise<readonly Place[]>;
}

/**
 * A page of a list. Users who were erased meanwhile are left out.
 * @throws ProblemError 422 for a wrong limit or cursor
 */
export async function usersByInstant(
  directory: AdministrationPorts['support']['directory'],
  query: Query,
  { account, name, read }: ListOfUsers,
) {
  const asked = new PageQuery(query);
  const limit = asked.limit();
  const after = asked.cursor(name, isInstantAndSubject) as Place | null;
  asked.check();
  const { shown, next } = pageOf(name, await read(after, limit + 1), limit, (place) => place);
  const ids = await directory.idsOf(
    account,
    shown.map(([, subject]) => subject),
  );
  const users = shown.flatMap(([at, subject]) => {
    const userId = ids.get(subject);
    return userId === undefined ? [] : [{ userId, at: formatInstant(at) }];
  });
  return { users, next };
}
