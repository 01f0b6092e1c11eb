import { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';

export const schemaCommand = (context: CommandContext): Command =>
  withHelp(
    new Command('schema')
      .description('Prints the JSON Schema of the configuration, for editors. Asks no service.')
      .action(async () => (await import('./print-schema.ts')).printSchema(context)),
    {
      examples: ['config schema > configuration.schema.json'],
      notes: [
        'VS Code and others read it if the first line of the configuration names it (its place is relative to that file):',
        '  # yaml-language-server: $schema=configuration.schema.json',
      ],
    },
  );
