import { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { exportUserCommand } from './export-user-command.ts';
import { showUserCommand } from './show-user-command.ts';
import { userEventsCommand } from './user-events-command.ts';

export const userCommand = (context: CommandContext): Command =>
  new Command('user')
    .description('Tells what is held about one user.')
    .addCommand(showUserCommand(context), { isDefault: true })
    .addCommand(userEventsCommand(context))
    .addCommand(exportUserCommand(context));
