import { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';
import { loadAction } from '../load-action.ts';
import { reasonOption, serviceCommand, type AnswerOptions } from '../service/service-options.ts';
import type { Answerer } from '../terminal/terminal-question.ts';
import type { PublishOptions } from './publish.ts';

const FILE = 'a YAML or JSON file';

export const configCommand = (context: CommandContext): Command =>
  new Command('config')
    .description('Checks, plans, publishes and shows configurations.')
    .addCommand(validateCommand(context))
    .addCommand(planCommand(context))
    .addCommand(publishCommand(context))
    .addCommand(showCommand(context))
    .addCommand(historyCommand(context))
    .addCommand(schemaCommand(context));

const validateCommand = (context: CommandContext): Command =>
  withHelp(
    new Command('validate')
      .description('Checks a configuration file and names every problem with its line and column. Asks no service.')
      .argument('<file>', FILE)
      .option(
        '--json',
        'the problems and warnings as JSON: {"problems": [{file, line, column, path, message}], "warnings": [{path, message}]}, with "more": true if there are further problems (default: a line each)',
      )
      .action(loadAction(context, async () => (await import('./validate.ts')).validate)),
    { examples: ['config validate laurel.yaml', 'config validate laurel.yaml --json'], no: 'the file has problems' },
  );

const planCommand = (context: CommandContext): Command =>
  withHelp(
    serviceCommand(
      'plan',
      'Shows what publishing a configuration file would change, and what that means. Changes nothing.',
    )
      .argument('<file>', FILE)
      .option('--json', 'the answer of POST /admin/v1/configurations/plan as it is (default: for people)')
      .action(loadAction(context, async () => (await import('./publish.ts')).plan)),
    { examples: ['config plan laurel.yaml', 'config plan laurel.yaml --json'], no: 'the file has problems' },
  );

export const publishCommand = (context: CommandContext, answerer?: Answerer): Command =>
  withHelp(
    serviceCommand('publish', 'Publishes a configuration file: shows what changes, asks, and puts it in force at once.')
      .argument('<file>', FILE)
      .option('-y, --yes', 'do not ask; needed where there is no terminal')
      .option('--accept', 'publish the file of LAUREL_CONFIG that a start has held back; does not ask')
      .addOption(reasonOption())
      .option('--json', 'the answer of POST /admin/v1/configurations as it is (default: for people)')
      .action(async (file: string, options: PublishOptions) =>
        (await import('./publish.ts')).publish(file, options, context, answerer),
      ),
    {
      examples: [
        'config publish laurel.yaml',
        'config publish laurel.yaml --yes',
        'config publish --accept laurel.yaml',
      ],
      notes: [
        'What you publish stays in force while the file of LAUREL_CONFIG is unchanged. A start publishes a changed file, unless that',
        'ends streaks, removes metrics or drops what was published live: --accept then publishes it. What is in force already is',
        'not published again.',
      ],
      no: 'the file has problems, or the question was answered with no',
    },
  );

const showCommand = (context: CommandContext): Command =>
  withHelp(
    serviceCommand('show', 'Prints a published configuration as it was written, as a file that can be published again.')
      .argument('[version]', 'its number (default: the version in force)')
      .option('--json', 'the document as JSON, with every default spelled out (default: the text as it was written)')
      .action(async (version: string | undefined, options: AnswerOptions) =>
        (await import('./show.ts')).show(version ?? 'current', options, context),
      ),
    { examples: ['config show', 'config show 2 > laurel.yaml', 'config show --json > laurel.json'] },
  );

const historyCommand = (context: CommandContext): Command =>
  withHelp(
    serviceCommand('history', 'Lists the versions that were published, newest last.')
      .option('--json', 'the answer of GET /admin/v1/configurations as it is (default: a table)')
      .action(loadAction(context, async () => (await import('./show.ts')).history)),
    { examples: ['config history', 'config history --json'] },
  );

const schemaCommand = (context: CommandContext): Command =>
  withHelp(
    new Command('schema')
      .description('Prints the JSON Schema of the configuration, for editors. Asks no service.')
      .action(async () => (await import('./validate.ts')).printSchema(context)),
    {
      examples: ['config schema > configuration.schema.json'],
      notes: [
        'VS Code and others read it if the first line of the configuration names it (its place is relative to that file):',
        '  # yaml-language-server: $schema=configuration.schema.json',
      ],
    },
  );
