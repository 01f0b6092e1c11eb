import { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';
import { withServiceOptions } from '../service/service-options.ts';
import type { ShowOptions } from './show.ts';

export const showCommand = (context: CommandContext): Command =>
  withHelp(
    withServiceOptions(
      new Command('show')
        .description('Prints a published configuration as it was written, as a file that can be published again.')
        .argument('[version]', 'its number (default: the version in force)'),
    )
      .option('--json', 'the document as JSON, with every default spelled out (default: the text as it was written)')
      .action(async (version: string | undefined, options: ShowOptions) =>
        (await import('./show.ts')).show(version ?? 'current', options, context),
      ),
    { examples: ['config show', 'config show 2 > laurel.yaml', 'config show --json > laurel.json'] },
  );
