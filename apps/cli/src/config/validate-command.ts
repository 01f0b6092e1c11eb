import { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';
import type { ValidateOptions } from './validate.ts';

export const validateCommand = (context: CommandContext): Command =>
  withHelp(
    new Command('validate')
      .description('Checks a configuration file and names every problem with its line and column. Asks no service.')
      .argument('<file>', 'a YAML or JSON file')
      .option(
        '--json',
        'the problems and warnings as JSON: {"problems": [{file, line, column, path, message}], "warnings": [{path, message}]}, with "more": true if there are further problems (default: a line each)',
      )
      .action(async (file: string, options: ValidateOptions) =>
        (await import('./validate.ts')).validate(file, options, context),
      ),
    { examples: ['config validate laurel.yaml', 'config validate laurel.yaml --json'], no: 'the file has problems' },
  );
