import { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { historyCommand } from './history-command.ts';
import { planCommand } from './plan-command.ts';
import { publishCommand } from './publish-command.ts';
import { schemaCommand } from './schema-command.ts';
import { showCommand } from './show-command.ts';
import { validateCommand } from './validate-command.ts';

export const configCommand = (context: CommandContext): Command =>
  new Command('config')
    .description('Checks, plans, publishes and shows configurations.')
    .addCommand(validateCommand(context))
    .addCommand(planCommand(context))
    .addCommand(publishCommand(context))
    .addCommand(showCommand(context))
    .addCommand(historyCommand(context))
    .addCommand(schemaCommand(context));
