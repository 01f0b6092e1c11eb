import { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { exportUserCommand } from './export-user-command.ts';

export const userCommand = (context: CommandContext): Command =>
  new Command('user').description('Tells what is held about one user.').addCommand(exportUserCommand(context));
