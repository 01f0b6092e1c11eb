import { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';
import { withServiceOptions } from '../service/service-options.ts';
import type { UserOptions } from './show-user.ts';

export const showUserCommand = (context: CommandContext): Command =>
  withHelp(
    withServiceOptions(
      new Command('show')
        .description('Shows a user and where they stand: profile, totals, streak, achievements, points, last events.')
        .argument('<id>', 'the user’s id'),
    )
      .option('--json', 'the answer of GET /admin/v1/users/{id} as it is (default: text)')
      .action(async (id: string, options: UserOptions) =>
        (await import('./show-user.ts')).showUser(id, options, context),
      ),
    { examples: ['user show ada', 'user show ada --json'] },
  );
