import { refusalOf, dataFolderAt } from './data-folder.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { chooseServerAccount } from './server-account.ts';

/**
 * The first of these folders that the server's account can reach: for a default folder, when the operator named none.
 * (Started as root in a checkout below the home folder of root, the folder in the checkout is out of the server's reach.)
 *
 * @throws EmbeddedPostgresError with the first folder's reason if none will do.
 */
export async function pickDataDir(first: string, ...others: readonly string[]): Promise<string> {
  const firstRefusal = await refusal(first);
  if (firstRefusal === null) return first;
  for (const other of others) {
    if ((await refusal(other)) === null) return other;
  }
  throw new EmbeddedPostgresError(firstRefusal);
}

async function refusal(dataDir: string): Promise<string | null> {
  const folder = await dataFolderAt(dataDir);
  return refusalOf(folder.root, await chooseServerAccount(folder.pgData));
}
