import { configurationJsonSchema } from '@laurel/configuration';
import { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';
import { print } from '../terminal/print.ts';

export const schemaCommand = (context: CommandContext): Command =>
  withHelp(
    new Command('schema')
      .description('Prints the JSON Schema of the configuration, for editors. Asks no service.')
      .action(() => print(context.stdout, `${JSON.stringify(configurationJsonSchema(), null, 2)}\n`)),
    {
      examples: ['config schema > configuration.schema.json'],
      notes: [
        'VS Code and others read it if the first line of the configuration names it (its place is relative to that file):',
        '  # yaml-language-server: $schema=configuration.schema.json',
      ],
    },
  );
