import { isUserId, ProblemError, UNKNOWN_USER, type Subject, type UserProfile } from '@laurel/contracts';
import type { IngestionPorts } from './ports.ts';

export interface KnownUser {
  readonly subject: Subject;
  readonly profile: UserProfile;
}

/** @throws ProblemError 404 if nothing is recorded of such a user */
export async function knownUser(
  { directory, users }: Pick<IngestionPorts, 'directory' | 'users'>,
  account: string,
  id: string,
): Promise<KnownUser> {
  const subject = isUserId(id) ? await directory.find(account, id) : null;
  const profile = subject === null ? null : await users.find(account, subject);
  if (subject === null || profile === null) throw new ProblemError(UNKNOWN_USER);
  return { subject, profile };
}

/** Those of whom something is recorded, by their ids. */
export async function knownUsers(
  { directory, users }: Pick<IngestionPorts, 'directory' | 'users'>,
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
