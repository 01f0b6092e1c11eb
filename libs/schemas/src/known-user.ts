import type { Directory, UserProfile, UserReads } from '@laurel/ports';
import type { Subject } from '@laurel/kernel';
import { ProblemError, UNKNOWN_USER } from './problem.ts';
import { isUserId } from './text.ts';

/** A user with at least one recorded event. */
export interface KnownUser {
  readonly subject: Subject;
  readonly profile: UserProfile;
}

/** @throws ProblemError 404 for a user without any recorded event; also for a user of another account */
export async function knownUser(
  { directory, users }: { readonly directory: Pick<Directory, 'find'>; readonly users: Pick<UserReads, 'find'> },
  account: string,
  id: string,
): Promise<KnownUser> {
  const subject = isUserId(id) ? await directory.find(account, id) : null;
  const profile = subject === null ? null : await users.find(account, subject);
  if (subject === null || profile === null) throw new ProblemError(UNKNOWN_USER);
  return { subject, profile };
}

/** The users with at least one recorded event, by their ids. */
export async function knownUsers(
  { directory, users }: { readonly directory: Pick<Directory, 'findAll'>; readonly users: Pick<UserReads, 'profiles'> },
  account: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Subject>> {
  const found = [...(await directory.findAll(account, ids.filter(isUserId)))];
  const profiles = await users.profiles(
    account,
    found.map(([, subject]) => subject),
  );
  return new Map(found.filter(([, subject]) => profiles.has(subject)));
}
