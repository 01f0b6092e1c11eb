import { ACCOUNT } from '@laurel/kernel';
import { storedDigest } from '@laurel/all-areas';
import { tzDataVersion } from '@laurel/calendar';
import type { DigestAnswer } from '@laurel/schemas';
import type { CommandContext } from '../command-context.ts';
import { unlessInterrupted, withDatabase } from '../offline/open-database.ts';

/** The digest of a stopped service, read from its database. */
export const digestOffline = (context: CommandContext): Promise<DigestAnswer> =>
  withDatabase(context, async (connection) => {
    const reading = storedDigest(connection, ACCOUNT);
    const { position, lines } = await unlessInterrupted(reading, context);
    return { position, tzDataVersion, lines: [...lines] };
  });
