import type { SqlReader } from '@laurel/kernel';
import type { ProcessFrame } from '@laurel/processes';
import { lastingFailure } from '@laurel/runtime';
import { UserSearchIndex } from '@laurel/users';

/** Keeps the index by which users are searched, or removes it, as LAUREL_USER_SEARCH says, while the process runs. */
export function keepUserSearch({ environment, clock, logger, shutdown }: ProcessFrame, sql: SqlReader): void {
  const search = new UserSearchIndex(sql, clock, {
    onProgress: (count, isBuilt) =>
      logger.info({ users: count }, isBuilt ? 'the index of users is built' : 'building the index of users'),
    onFailure: lastingFailure(logger, clock, 'could not keep the index of users; retrying'),
  });
  search.start(environment.userSearch === 'on');
  shutdown.register('user search', () => search.close());
}
