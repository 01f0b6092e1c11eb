import type { Subject, UserRef } from '@laurel/kernel';
import type { DatedProfile } from '@laurel/ports';
import type { UsersState } from './rules/users.ts';

type ReadProfiles = (account: string, subjects: readonly Subject[]) => Promise<ReadonlyMap<Subject, DatedProfile>>;

/**
 * Reads committed profiles. Queries the database only for users whose state is not in memory.
 * @param inMemory returns the committed state of a user, or undefined if it is not in memory
 */
export const profilesInMemory =
  (inMemory: (user: UserRef) => UsersState | undefined, read: ReadProfiles): ReadProfiles =>
  async (account, subjects) => {
    const profiles = new Map<Subject, DatedProfile>();
    const absent = subjects.filter((subject) => {
      const state = inMemory({ account, subject });
      if (state !== undefined) profiles.set(subject, profileIn(state));
      return state === undefined;
    });
    return absent.length === 0 ? profiles : new Map([...profiles, ...(await read(account, absent))]);
  };

export const profileIn = ({ profile, createdAt, updatedAt }: UsersState): DatedProfile => ({
  ...profile,
  createdAt: createdAt ?? updatedAt,
  updatedAt,
});
