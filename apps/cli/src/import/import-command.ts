import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';
import { loadAction } from '../load-action.ts';
import { reasonOption, serviceCommand } from '../service/service-options.ts';

export const importCommand = (context: CommandContext): Command =>
  withHelp(
    serviceCommand(
      'import',
      'Sends recorded events, one JSON object a line, to a running service (specification, section 9).',
    )
      .argument('<file>', 'an .ndjson file, or .ndjson.gz')
      .option(
        '--unbounded-awards',
        'let a line owe a new user more than 50,000 time awards (default: such a line is refused)',
      )
      .option('--outgoing', 'let imported events make outcomes, as live ones do (default: they make none)')
      .addOption(reasonOption())
      .action(loadAction(context, async () => (await import('./run-import.ts')).runImport)),
    {
      notes: [
        'Without --url it uses the socket of the running service, which needs no key.',
        'The same import again changes nothing, given that every line has an idempotencyKey.',
      ],
      examples: ['import history.ndjson.gz', 'import history.ndjson --url https://laurel.example.org'],
      no: 'some lines were refused; the rest went in',
    },
  );
