import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';
import { loadAction } from '../load-action.ts';
import { serviceCommand } from '../service/service-options.ts';

export const statusCommand = (context: CommandContext): Command =>
  withHelp(
    serviceCommand('status', 'Shows whether the service is ready, and if not, why and what to do.')
      .option('--json', 'the answer of GET /admin/v1/status as it is (default: for people)')
      .action(loadAction(context, async () => (await import('./show-status.ts')).showStatus)),
    {
      examples: ['status', 'status --json', 'status --url https://laurel.example.org'],
      no: 'the service runs and is not ready',
    },
  );
