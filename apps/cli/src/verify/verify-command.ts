import { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';
import { withServiceOptions } from '../service/service-options.ts';
import type { VerifyOptions } from './verify.ts';

export const verifyCommand = (context: CommandContext): Command =>
  withHelp(
    withServiceOptions(
      new Command('verify').description(
        'Checks the event log against its hash, and users, achievements and points against the log.',
      ),
    )
      .option(
        '--json',
        'the verification as GET /admin/v1/verifications/{id} shows it (default: a line for each finding)',
      )
      .action(async (options: VerifyOptions) => (await import('./verify.ts')).verify(options, context)),
    {
      notes: [
        'Nothing is changed. The service goes on meanwhile, and Ctrl-C leaves the verification going.',
        'A log that was rewritten together with its hash is found out only by a head kept elsewhere: see log head.',
      ],
      examples: ['verify', 'verify --json'],
      no: 'carried out, and something that is stored does not fit',
    },
  );
