import { DIGESTED_AREAS } from '@laurel/areas';
import { tzDataVersion } from '@laurel/calendar';
import type { DigestAnswer } from '@laurel/contracts';
import { clientConfig } from '@laurel/database';
import { digestOf } from '@laurel/projections';
import { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';
import { ACCOUNT, unlessInterrupted, withDatabase } from '../offline/open-database.ts';
import { connectIfRunning } from '../service/service-connection.ts';
import { withServiceOptions, type ServiceOptions } from '../service/service-options.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { print, printLines } from '../terminal/print.ts';
import { differences, readDigest } from './compare-digests.ts';
import { digestLines } from './digest-lines.ts';

interface DigestOptions extends ServiceOptions {
  readonly compare?: string;
  readonly json?: true;
}

export const digestCommand = (context: CommandContext): Command =>
  withHelp(
    withServiceOptions(
      new Command('digest').description(
        'Prints a hash per area over every stored value, read from the tables, and one of the rank history.',
      ),
    )
      .option(
        '--compare <file>',
        'what `digest --json` printed earlier; what differs is told on the standard error (default: nothing is compared)',
      )
      .option('--json', 'the answer of GET /admin/v1/digest as it is (default: a line for each)')
      .action((options: DigestOptions) => printDigest(options, context)),
    {
      notes: [
        'While the service is stopped, the database of LAUREL_DATA_DIR or LAUREL_DATABASE_URL is read.',
        'Equal digests mean equal values; they compare only under one release of the time zone data.',
      ],
      examples: ['digest', 'digest --json > before.json', 'digest --compare before.json'],
      no: 'with --compare: something differs',
    },
  );

async function printDigest(options: DigestOptions, context: CommandContext): Promise<void> {
  const earlier = options.compare === undefined ? null : await readDigest(options.compare);
  const digest = await takeDigest(options, context);
  if (options.json) await print(context.stdout, jsonLine(digest));
  else await printLines(context.stdout, digestLines(digest));
  if (earlier === null) return;
  const { notes, differing } = differences(earlier, digest);
  await printLines(context.stderr, [...notes, ...differing]);
  if (differing.length > 0) context.setExitCode(1);
}

/** Through the service, or from its database while it is stopped. */
async function takeDigest(options: ServiceOptions, context: CommandContext): Promise<DigestAnswer> {
  const service = await connectIfRunning(options, context);
  if (service !== null)
    return service.ask((client, settings) => client.GET('/admin/v1/digest', settings), { limitMs: null });
  return withDatabase(context, async (connection) => {
    const reading = digestOf(clientConfig(connection), ACCOUNT, DIGESTED_AREAS);
    const { position, lines } = await unlessInterrupted(reading, context);
    return { position, tzDataVersion, lines: [...lines] };
  });
}
