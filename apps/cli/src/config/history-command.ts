import { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';
import { withServiceOptions } from '../service/service-options.ts';
import type { HistoryOptions } from './history.ts';

export const historyCommand = (context: CommandContext): Command =>
  withHelp(
    withServiceOptions(new Command('history').description('Lists the versions that were published, newest last.'))
      .option('--json', 'the answer of GET /admin/v1/configurations as it is (default: a table)')
      .action(async (options: HistoryOptions) => (await import('./history.ts')).history(options, context)),
    { examples: ['config history', 'config history --json'] },
  );
