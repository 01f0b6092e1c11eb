import { readFile, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import type { ServerAccount } from './run-program.ts';

/**
 * Chooses the server's account; null for this process's own. Postgres refuses to run as root, so root chooses the owner of existing data, else
 * `postgres`, else `nobody`, else any other account of the system.
 *
 * @throws EmbeddedPostgresError if no account is suitable
 */
export async function chooseServerAccount(pgData: string): Promise<ServerAccount | null> {
  const self = process.geteuid?.() ?? 0;
  const owner = await stat(pgData).catch(() => null);
  if (self !== 0) return checkOwnAccount(self, pgData, owner?.uid ?? null);
  const accounts = readAccounts(await readFile('/etc/passwd', 'utf8').catch(() => ''));
  if (owner !== null && owner.uid !== 0) return ownerAccount(accounts, owner);
  const chosen = preferredAccount(accounts);
  if (chosen === undefined) {
    throw new EmbeddedPostgresError(
      'The embedded database cannot run as root, and this system lists no other account to run it under. ' +
        'Start Laurel as a normal user, or set LAUREL_DATABASE_URL.',
    );
  }
  return chosen;
}

/** initdb looks its user up, and fails for an id that the system does not list (containers with an arbitrary uid). */
function checkOwnAccount(self: number, pgData: string, owner: number | null): null {
  if (owner !== null && owner !== self) {
    throw new EmbeddedPostgresError(
      `The database in ${pgData} belongs to user id ${owner}, but this process runs as user id ${self}. ` +
        `Start Laurel as that user, or change the owner of the whole data folder.`,
    );
  }
  if (owner === null && !isListed()) {
    throw new EmbeddedPostgresError(
      `User id ${self} has no entry in /etc/passwd, and a database cannot be created without one. ` +
        'Run under a listed user (the official Node images have `node`, id 1000), or set LAUREL_DATABASE_URL.',
    );
  }
  return null;
}

function isListed(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

const ownerAccount = (accounts: readonly ServerAccount[], owner: { uid: number; gid: number }): ServerAccount =>
  accounts.find((account) => account.uid === owner.uid) ?? {
    name: `user id ${owner.uid}`,
    uid: owner.uid,
    gid: owner.gid,
  };

function preferredAccount(accounts: readonly ServerAccount[]): ServerAccount | undefined {
  const ordinary = accounts.filter((account) => account.uid !== 0);
  const named = (name: string): ServerAccount | undefined => ordinary.find((account) => account.name === name);
  return named('postgres') ?? named('nobody') ?? ordinary[0];
}

/** Parses passwd(5). Ids are unsigned; some systems write `nobody` as -2. */
export function readAccounts(passwd: string): ServerAccount[] {
  return passwd.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    const ids = [Number(uid), Number(gid)];
    if (name === undefined || name === '' || name.startsWith('#') || !uid || !gid || !ids.every(Number.isInteger))
      return [];
    return [{ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }];
  });
}
