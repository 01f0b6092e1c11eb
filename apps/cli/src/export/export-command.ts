import { Command, InvalidArgumentError, Option } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';
import { withServiceOptions } from '../service/service-options.ts';
import type { RangeOptions, WinnersOptions } from './print-export.ts';

export const exportCommand = (context: CommandContext): Command =>
  new Command('export')
    .description('Prints events, awards, rankings or winners, as NDJSON or CSV.')
    .addCommand(rangeCommand(context, 'events', 'Prints the metric events of a range, in the order of recording.'))
    .addCommand(
      rangeCommand(context, 'awards', 'Prints the awards of points that were given in a range, user by user.'),
    )
    .addCommand(rangeCommand(context, 'rankings', 'Prints the ranked rows of every run that touches a range.'))
    .addCommand(winnersCommand(context));

const NOTES = [
  'If the export cannot be completed, the exit code is 2 and what was printed is a part of it.',
  'With --url the key needs the scope export. In CSV, a text that a spreadsheet would take for a formula begins',
  'with an apostrophe.',
];

const rangeCommand = (context: CommandContext, what: 'events' | 'awards' | 'rankings', description: string): Command =>
  withHelp(
    withServiceOptions(new Command(what).description(description))
      .option('--from <when>', 'from this date in UTC, or instant, on (default: the first)')
      .option('--to <when>', 'before this date in UTC, or instant (default: no end)')
      .addOption(formatOption())
      .action(async (options: RangeOptions) => (await import('./print-export.ts')).printRange(what, options, context)),
    {
      notes: NOTES,
      examples: [
        `export ${what} > ${what}.ndjson`,
        `export ${what} --from 2026-03-01 --to 2026-04-01 --format csv > ${what}.csv`,
      ],
    },
  );

const winnersCommand = (context: CommandContext): Command =>
  withHelp(
    withServiceOptions(
      new Command('winners').description('Prints the winners of a run that is final, with whom to write to.'),
    )
      .requiredOption('--leaderboard <key>', 'the leaderboard (required)')
      .option('--run <date>', 'any date within the run (default: the newest run that is final)')
      .option('--limit <n>', 'how many, from the first on', winners, 10)
      .addOption(formatOption())
      .action(async (options: WinnersOptions) => (await import('./print-export.ts')).printWinners(options, context)),
    {
      notes: NOTES,
      examples: [
        'export winners --leaderboard weekly',
        'export winners --leaderboard weekly --limit 3 --format csv > winners.csv',
      ],
    },
  );

const formatOption = (): Option =>
  new Option('--format <format>', 'a JSON object a line, or CSV').choices(['ndjson', 'csv']).default('ndjson');

function winners(text: string): number {
  if (!/^\d{1,4}$/.test(text) || Number(text) < 1 || Number(text) > 1_000)
    throw new InvalidArgumentError('Expected a whole number from 1 to 1000.');
  return Number(text);
}
