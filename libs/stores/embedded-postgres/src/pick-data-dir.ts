import { refusalOf, dataFolderAt } from './data-folder.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { chooseServerAccount } from './server-account.ts';

/**
 * Chooses a default data folder: the first of these folders that the server's account can reach. (If root starts Laurel in a checkout below
 * its home folder, the server cannot reach the folder in the checkout.)
 *
 * @throws EmbeddedPostgresError with the reason of the first folder if none is suitable
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
