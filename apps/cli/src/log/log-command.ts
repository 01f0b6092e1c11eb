import { Argument, Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';
import { loadAction } from '../load-action.ts';
import { serviceCommand } from '../service/service-options.ts';

export const logCommand = (context: CommandContext): Command =>
  new Command('log')
    .description('Shows the hash of the event log, and proves that an event is in it.')
    .addCommand(headCommand(context))
    .addCommand(proofCommand(context));

const headCommand = (context: CommandContext): Command =>
  withHelp(
    serviceCommand('head', 'Prints how many records the log has and the root of the Merkle tree over them.')
      .option('--json', 'the answer of GET /admin/v1/log/head as it is (default: a line)')
      .action(loadAction(context, async () => (await import('./show-log.ts')).showHead)),
    {
      notes: ['Keep the line elsewhere: only who has an earlier hash can tell that the log was changed.'],
      examples: ['log head', 'log head --json'],
    },
  );

const proofCommand = (context: CommandContext): Command =>
  withHelp(
    serviceCommand(
      'proof',
      'Prints the proof that an event is in the log, as GET /admin/v1/log/proofs/{eventId} gives it.',
    )
      .addArgument(new Argument('<event>', 'the id of the event'))
      .action(loadAction(context, async () => (await import('./show-log.ts')).showProof)),
    {
      notes: ['It is verified as RFC 6962 says, with any program: the leaf is the text `record`.'],
      examples: ['log proof 0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6a'],
    },
  );
