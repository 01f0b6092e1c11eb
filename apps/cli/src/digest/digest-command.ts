import { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';
import { withServiceOptions } from '../service/service-options.ts';
import type { DigestOptions } from './print-digest.ts';

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
      .action(async (options: DigestOptions) => (await import('./print-digest.ts')).printDigest(options, context)),
    {
      notes: [
        'While the service is stopped, the database of LAUREL_DATA_DIR or LAUREL_DATABASE_URL is read.',
        'Equal digests mean equal values; they compare only under one release of the time zone data.',
      ],
      examples: ['digest', 'digest --json > before.json', 'digest --compare before.json'],
      no: 'with --compare: something differs',
    },
  );
