import { AREAS, type AreaName } from '@laurel/kernel/areas';
import { Argument, type Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';
import { serviceCommand } from '../service/service-options.ts';
import type { RebuildOptions } from './rebuild.ts';

export const rebuildCommand = (context: CommandContext): Command =>
  withHelp(
    serviceCommand(
      'rebuild',
      'Applies the event log again, from its first record on, and lets the areas take over what comes out.',
    )
      .addArgument(new Argument('[area...]', 'the areas to rebuild; all without any').choices(AREAS))
      .option('--verify', 'compare what comes out with what is stored, and take nothing over')
      .option('--json', 'the rebuild as GET /admin/v1/rebuilds/{id} shows it (default: a line)')
      .action(async (areas: AreaName[] | undefined, options: RebuildOptions) =>
        (await import('./rebuild.ts')).rebuild(areas ?? [], options, context),
      ),
    {
      notes: [
        'A running service goes on meanwhile, and Ctrl-C leaves the rebuild going.',
        'While the service is stopped, the command rebuilds in its database, and Ctrl-C leaves everything as it was;',
        '--json then prints the same fields, with null as the id.',
      ],
      examples: ['rebuild', 'rebuild points leaderboards', 'rebuild --verify'],
      no: 'carried out with --verify, and something that is stored differs',
    },
  );
