import { Command, Option } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';
import { loadAction } from '../load-action.ts';
import { serviceCommand } from '../service/service-options.ts';
import { wholeNumber } from '../terminal/whole-number.ts';
import type { StreamOptions } from './follow-stream.ts';
import type { RangeOptions } from './print-export.ts';

export const exportCommand = (context: CommandContext): Command =>
  new Command('export')
    .description('Prints events, awards, rankings, winners or outcomes, as NDJSON or CSV.')
    .addCommand(eventsCommand(context))
    .addCommand(outcomesCommand(context))
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

const RESUMED = [
  'The cursor file is replaced after what it stands behind was written: a command that was killed repeats at most the',
  'last 1,000 lines when it is started again, and leaves out none. Take each id once.',
];

const ranged = (command: Command): Command =>
  command
    .option('--from <when>', 'from this date in UTC, or instant, on (default: the first)')
    .option('--to <when>', 'before this date in UTC, or instant (default: no end)')
    .addOption(formatOption());

const resumable = (command: Command): Command =>
  command
    .option('--follow', 'go on with what comes, until Ctrl-C')
    .option('--cursor-file <file>', 'go on where this file says, and keep there how far it is (default: none)')
    .option('--types <types>', 'only these types, with commas in between (default: all)');

const eventsCommand = (context: CommandContext): Command =>
  withHelp(
    resumable(ranged(serviceCommand('events', 'Prints metric events of a range, or the log as it grows.'))).action(
      async (
        { follow, cursorFile, types, from, to, format, ...options }: RangeOptions & StreamOptions,
        command: Command,
      ) => {
        const isStream = follow !== undefined || cursorFile !== undefined || types !== undefined;
        if (!isStream) {
          const range = { ...options, format, ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
          return (await import('./print-export.ts')).printRange('events', range, context);
        }
        if (from !== undefined || to !== undefined || format !== 'ndjson')
          command.error(
            'error: --follow, --cursor-file and --types print the log, without --from, --to and --format csv',
          );
        const stream = {
          ...options,
          ...(follow && { follow }),
          ...(cursorFile !== undefined && { cursorFile }),
          ...(types !== undefined && { types }),
        };
        await (await import('./follow-stream.ts')).printStream('events', stream, context);
      },
    ),
    {
      notes: [
        ...NOTES,
        'With --follow, --cursor-file or --types it prints every event of the log instead, as NDJSON.',
        ...RESUMED,
      ],
      examples: [
        'export events > events.ndjson',
        'export events --from 2026-03-01 --to 2026-04-01 --format csv > events.csv',
        'export events --cursor-file events.cursor > log-1.ndjson',
      ],
    },
  );

const outcomesCommand = (context: CommandContext): Command =>
  withHelp(
    resumable(serviceCommand('outcomes', 'Prints what happened, as the configuration asks for it.')).action(
      async (options: StreamOptions) => (await import('./follow-stream.ts')).printStream('outcomes', options, context),
    ),
    {
      notes: [
        'Outcomes are kept as long as the configuration says (outgoing.keep). A cursor from before that is refused, and',
        'the message names the oldest. With --url the key needs the scope export.',
        ...RESUMED,
      ],
      examples: [
        'export outcomes --cursor-file outcomes.cursor > outcomes-1.ndjson',
        'export outcomes --follow --types streak.lost,achievement.completed',
      ],
    },
  );

const rangeCommand = (context: CommandContext, what: 'awards' | 'rankings', description: string): Command =>
  withHelp(
    ranged(serviceCommand(what, description)).action(async (options: RangeOptions) =>
      (await import('./print-export.ts')).printRange(what, options, context),
    ),
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
    serviceCommand('winners', 'Prints the winners of a run that is final, with whom to write to.')
      .requiredOption('--leaderboard <key>', 'the leaderboard (required)')
      .option('--run <date>', 'any date within the run (default: the newest run that is final)')
      .option('--limit <n>', 'how many, from the first on', wholeNumber(1, 1_000), 10)
      .addOption(formatOption())
      .action(loadAction(context, async () => (await import('./print-export.ts')).printWinners)),
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
