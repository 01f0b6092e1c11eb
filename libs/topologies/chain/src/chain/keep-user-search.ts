import type { SqlReader } from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import { logUserSearch, type UserSearchLog } from '@laurel/runtime';
import type { StartBeside } from './chain-program.ts';

/** The index by which users are searched: `UserSearchIndex` of the users area. */
type SearchIndex = new (
  sql: SqlReader,
  clock: Clock,
  events: UserSearchLog,
) => { start(isOn: boolean): void; close(): Promise<void> };

/** Keeps the index by which users are searched, or removes it, as LAUREL_USER_SEARCH says, while the process runs. */
export const keepUserSearch =
  (Index: SearchIndex): StartBeside =>
  ({ environment, clock, logger, shutdown }, sql) => {
    const search = new Index(sql, clock, logUserSearch(logger, clock));
    search.start(environment.userSearch === 'on');
    shutdown.register('user search', () => search.close());
  };
