import { Command, InvalidArgumentError } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';
import { withServiceOptions } from '../service/service-options.ts';
import type { AuditOptions } from './list-audit.ts';

export const auditCommand = (context: CommandContext): Command =>
  withHelp(
    withServiceOptions(
      new Command('audit').description(
        'Lists who did what, newest first: publications, imports, keys, and every other event with an actor.',
      ),
    )
      .option('--limit <n>', 'how many entries to show, from the newest on', wholeNumber, 50)
      .option('--json', 'an entry a line, as GET /admin/v1/audit has them (default: a table)')
      .action(async (options: AuditOptions) => (await import('./list-audit.ts')).listAudit(options, context)),
    { examples: ['audit', 'audit --limit 1000 --json > audit.ndjson'] },
  );

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) < 1) throw new InvalidArgumentError('Expected a whole number from 1 on.');
  return Number(text);
}
