import type { SqlReader } from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import { lastingFailure } from '@laurel/runtime';
import type { StartBeside } from './chain-program.ts';

/** The index by which users are searched: `UserSearchIndex` of the area of users. */
type SearchIndex = new (
  sql: SqlReader,
  clock: Clock,
  events: {
    readonly onProgress: (users: number, isBuilt: boolean) => void;
    readonly onFailure: (error: unknown) => void;
  },
) => { start(isOn: boolean): void; close(): Promise<void> };

/** Keeps the index by which users are searched, or removes it, as LAUREL_USER_SEARCH says, while the process runs. */
export const keepUserSearch =
  (Index: SearchIndex): StartBeside =>
  ({ environment, clock, logger, shutdown }, sql) => {
    const search = new Index(sql, clock, {
      onProgress: (count, isBuilt) =>
        logger.info({ users: count }, isBuilt ? 'the index of users is built' : 'building the index of users'),
      onFailure: lastingFailure(logger, clock, 'could not keep the index of users; retrying'),
    });
    search.start(environment.userSearch === 'on');
    shutdown.register('user search', () => search.close());
  };
