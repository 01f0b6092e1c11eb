import type { SqlReader } from '@laurel/kernel';
import type { Directory } from '@laurel/ports';
import { lastingFailure } from '@laurel/runtime';
import type { ProcessFrame } from '../process/run-process.ts';
import { FollowedErasures } from './followed-erasures.ts';

/** Makes a directory follow erasures while the process runs. @param sql of any schema of the database. @throws StoreUnavailableError */
export async function followErasures(
  { clock, logger, shutdown }: ProcessFrame,
  sql: SqlReader,
  directory: Pick<Directory, 'forget'>,
): Promise<FollowedErasures> {
  const erasures = new FollowedErasures(sql, directory, clock);
  await erasures.follow(lastingFailure(logger, clock, 'could not read the erased users; retrying'));
  shutdown.register('erasures', () => Promise.resolve(erasures.stop()));
  return erasures;
}
