import { backUp, type Backup } from '@laurel/embedded-postgres';
import { readEnvironment } from '@laurel/runtime/surroundings';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { CommandContext } from '../command-context.ts';
import { CommandError, InterruptedError } from '../command-error.ts';
import { plainText } from '../plain-text.ts';
import { withDatabase } from '../offline/open-database.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { print } from '../terminal/print.ts';

export async function backup(dir: string, json: boolean, context: CommandContext): Promise<void> {
  const { variables, interrupted: signal, stdout, stderr } = context;
  // Checked first: the command copies files, and the files of another server are not on this machine.
  if (readEnvironment(variables).databaseUrl !== null) throw new CommandError(2, OWN_DATABASE);
  const done = await withDatabase(context, async (connection, dataDir) => {
    if (dataDir === null) throw new CommandError(2, OWN_DATABASE);
    const copying = backUp({ dataDir, connection, target: resolve(dir), signal });
    const copied = await copying.catch((error: unknown) => {
      throw signal.aborted ? new InterruptedError() : error;
    });
    if (existsSync(join(dataDir, SECRETS_KEY))) stderr.write(`${SECRETS_KEY} is not in the backup: copy it as well\n`);
    return copied;
  });
  await print(stdout, json ? jsonLine(done) : sentence(done));
}

const OWN_DATABASE = 'LAUREL_DATABASE_URL is set: back that database up with pg_basebackup or pg_dump';

/**
 * The key that decrypts the secrets of webhooks. It is a file beside the database, and the command copies only the
 * database.
 */
const SECRETS_KEY = 'secrets.key';

const sentence = ({ target, files, bytes, endLsn }: Backup): string =>
  `${plainText(target)}: ${files} files, ${(bytes / 1024 / 1024).toFixed(1)} MiB, up to ${endLsn}\n`;
