import { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';
import { withServiceOptions } from '../service/service-options.ts';
import type { ServiceOptions } from '../service/service-options.ts';

export const exportUserCommand = (context: CommandContext): Command =>
  withHelp(
    withServiceOptions(
      new Command('export')
        .description('Prints everything held about a user as JSON, for users who ask for their data.')
        .argument('<id>', 'the user'),
    ).action(async (id: string, options: ServiceOptions) =>
      (await import('./export-user.ts')).exportUser(id, options, context),
    ),
    {
      notes: [
        'It reads the whole log. If it cannot be completed, the exit code is 2 and what was printed is a part of it.',
        'With --url the key needs the scope export.',
      ],
      examples: ['user export ada > ada.json'],
    },
  );
