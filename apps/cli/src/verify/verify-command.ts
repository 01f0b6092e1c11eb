import { InvalidArgumentError, Option, type Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';
import { loadAction } from '../load-action.ts';
import type { EarlierHead } from '../log/earlier-head.ts';
import { serviceCommand } from '../service/service-options.ts';

export const verifyCommand = (context: CommandContext): Command =>
  withHelp(
    serviceCommand('verify', 'Checks the event log against its hash, and what is stored against the log.')
      .option('--full', 'fold the events of every user as well, and compare with every row that is stored')
      .addOption(new Option('--log', 'check nothing but the log, against its hash').conflicts('full'))
      .option(
        '--against <head>',
        'a line that log head printed earlier: the log must continue it (default: none)',
        earlierHead,
      )
      .option(
        '--json',
        'the verification as GET /admin/v1/verifications/{id} shows it, with --against also whether the log continues the head (default: lines)',
      )
      .action(loadAction(context, async () => (await import('./verify.ts')).verify)),
    {
      notes: [
        '--full takes about as long as a rebuild; without it the check is SQL alone.',
        'Nothing is changed. The service goes on meanwhile, and Ctrl-C leaves the verification going.',
        'A log that was rewritten together with its hash is found out only by a head kept elsewhere: give it with --against.',
      ],
      examples: [
        'verify',
        'verify --full',
        'verify --log',
        'verify --json',
        'verify --against "1234 5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"',
      ],
      no: 'carried out, and something that is stored does not fit',
    },
  );

function earlierHead(line: string): EarlierHead {
  const head = parseHead(line);
  if (head === null) throw new InvalidArgumentError('Expected a line of log head: a number of records and a SHA-256.');
  return head;
}

/** null if the text is not a line of `laurel log head`. */
export function parseHead(line: string): EarlierHead | null {
  const [, size, root] = /^\s*(\d{1,15})\s+([\da-f]{64})\s*$/i.exec(line) ?? [];
  return size === undefined || root === undefined ? null : { size: Number(size), root: root.toLowerCase() };
}
