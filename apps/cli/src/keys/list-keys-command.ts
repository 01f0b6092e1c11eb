import { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';
import { withServiceOptions } from '../service/service-options.ts';
import type { ListOptions } from './list-keys.ts';

export const listKeysCommand = (context: CommandContext): Command =>
  withHelp(
    withServiceOptions(
      new Command('list').description(
        'Lists the API keys, revoked ones as well. The keys themselves are kept nowhere.',
      ),
    )
      .option('--json', 'the answer of GET /admin/v1/keys as it is (default: a table)')
      .action(async (options: ListOptions) => (await import('./list-keys.ts')).listKeys(options, context)),
    { examples: ['keys list', 'keys list --json'] },
  );
