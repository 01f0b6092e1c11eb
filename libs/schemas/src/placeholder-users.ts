import type { CancelTimer, Clock, Directory, UserReads } from '@laurel/ports';
import { knownUsers } from './known-user.ts';
import { describePlaceholderUsers, PLACEHOLDER_IDS } from './placeholder-ids.ts';

interface PlaceholderUserReads {
  readonly directory: Pick<Directory, 'findAll'>;
  readonly users: Pick<UserReads, 'profiles'>;
}

/** The {@link PLACEHOLDER_IDS} with recorded events. */
export async function placeholderUsers(reads: PlaceholderUserReads, account: string): Promise<readonly string[]> {
  const known = await knownUsers(reads, account, PLACEHOLDER_IDS);
  return PLACEHOLDER_IDS.filter((id) => known.has(id));
}

const LOOK_EVERY_MS = 60_000;

/**
 * Warns at the start, and within a minute, if there are more users with a placeholder as their id than before.
 * @returns ends the watch
 */
export function watchPlaceholderUsers(
  reads: PlaceholderUserReads,
  account: string,
  clock: Pick<Clock, 'after'>,
  warn: (users: readonly string[], text: string) => void,
): () => void {
  let warned = 0;
  let isStopped = false;
  let cancel: CancelTimer = () => undefined;
  const look = async (): Promise<void> => {
    // A database that cannot be reached is reported elsewhere.
    const ids = await placeholderUsers(reads, account).catch(() => null);
    if (isStopped) return;
    if (ids !== null && ids.length > warned) warn(ids, describePlaceholderUsers(ids.length));
    warned = ids?.length ?? warned;
    cancel = clock.after(LOOK_EVERY_MS, () => void look());
  };
  void look();
  return () => {
    isStopped = true;
    cancel();
  };
}
