import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';
import { loadAction } from '../load-action.ts';
import { serviceCommand } from '../service/service-options.ts';

export const digestCommand = (context: CommandContext): Command =>
  withHelp(
    serviceCommand(
      'digest',
      'Prints a hash per area over every stored value, read from the tables, and one of the rank history.',
    )
      .option(
        '--compare <file>',
        'what `digest --json` printed earlier; what differs is told on the standard error (default: nothing is compared)',
      )
      .option('--json', 'the answer of GET /admin/v1/digest as it is (default: a line for each)')
      .action(loadAction(context, async () => (await import('./print-digest.ts')).printDigest)),
    {
      notes: [
        'While the service is stopped, the database of LAUREL_DATA_DIR or LAUREL_DATABASE_URL is read.',
        'Equal digests mean equal values; they compare only under one release of the time zone data.',
      ],
      examples: ['digest', 'digest --json > before.json', 'digest --compare before.json'],
      no: 'with --compare: something differs',
    },
  );
