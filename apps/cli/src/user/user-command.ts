import { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { exportUserCommand } from './export-user-command.ts';
import { showUserCommand } from './show-user-command.ts';

export const userCommand = (context: CommandContext): Command =>
  new Command('user')
    .description('Tells what is held about one user.')
    .addCommand(showUserCommand(context), { isDefault: true })
    .addCommand(exportUserCommand(context));
