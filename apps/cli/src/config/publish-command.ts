import { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';
import { reasonOption, withServiceOptions } from '../service/service-options.ts';
import type { Answerer } from '../terminal/terminal-question.ts';
import type { PublishOptions } from './publish.ts';

export const publishCommand = (context: CommandContext, answerer?: Answerer): Command =>
  withHelp(
    withServiceOptions(
      new Command('publish')
        .description('Publishes a configuration file: shows what changes, asks, and puts it in force at once.')
        .argument('<file>', 'a YAML or JSON file'),
    )
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
