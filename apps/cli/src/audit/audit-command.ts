import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';
import { loadAction } from '../load-action.ts';
import { serviceCommand } from '../service/service-options.ts';
import { wholeNumber } from '../terminal/whole-number.ts';

export const auditCommand = (context: CommandContext): Command =>
  withHelp(
    serviceCommand(
      'audit',
      'Lists who did what, newest first: publications, imports, keys, and every other event with an actor.',
    )
      .option('--limit <n>', 'how many entries to show, from the newest on', wholeNumber(1), 50)
      .option('--json', 'an entry a line, as GET /admin/v1/audit has them (default: a table)')
      .action(loadAction(context, async () => (await import('./list-audit.ts')).listAudit)),
    { examples: ['audit', 'audit --limit 1000 --json > audit.ndjson'] },
  );
