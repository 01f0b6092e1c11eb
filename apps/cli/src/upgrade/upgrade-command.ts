import { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';

export const upgradeCommand = (context: CommandContext): Command =>
  withHelp(
    new Command('upgrade')
      .description('Brings the data of release 0.1 into the form of this release, while the service is stopped.')
      .action(async () => (await import('./run-upgrade.ts')).upgrade(context)),
    {
      notes: [
        'Back the data up first: release 0.1 cannot be started on it any more.',
        'The command moves the log, makes everything else again from it, and drops the former log.',
        'If it is broken off, run it again: it goes on where it was.',
      ],
      examples: ['upgrade'],
    },
  );
