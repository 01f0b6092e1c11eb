import { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';
import { withServiceOptions } from '../service/service-options.ts';
import type { StatusOptions } from './show-status.ts';

export const statusCommand = (context: CommandContext): Command =>
  withHelp(
    withServiceOptions(
      new Command('status').description('Shows whether the service is ready, and if not, why and what to do.'),
    )
      .option('--json', 'the answer of GET /admin/v1/status as it is (default: for people)')
      .action(async (options: StatusOptions) => (await import('./show-status.ts')).showStatus(options, context)),
    {
      examples: ['status', 'status --json', 'status --url https://laurel.example.org'],
      no: 'the service runs and is not ready',
    },
  );
