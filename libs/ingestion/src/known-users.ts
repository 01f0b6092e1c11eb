import { isUserId, type Subject } from '@laurel/contracts';
import type { IngestionPorts } from './ports.ts';

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
