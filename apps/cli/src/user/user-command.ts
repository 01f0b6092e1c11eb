import { Command, Option } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';
import { loadAction } from '../load-action.ts';
import { requiredReasonOption, serviceCommand } from '../service/service-options.ts';
import type { Answerer } from '../terminal/terminal-question.ts';
import { wholeNumber } from '../terminal/whole-number.ts';
import type { ListOptions } from '../service/print-pages.ts';
import type { EraseOptions } from './erase-user.ts';

export const userCommand = (context: CommandContext, answerer?: Answerer): Command =>
  new Command('user')
    .description('Tells what is held about one user, and erases it.')
    .addCommand(showCommand(context), { isDefault: true })
    .addCommand(eventsCommand(context))
    .addCommand(exportCommand(context))
    .addCommand(eraseCommand(context, answerer));

const showCommand = (context: CommandContext): Command =>
  withHelp(
    serviceCommand(
      'show',
      'Shows a user and where they stand: profile, totals, streak, achievements, points, last events.',
    )
      .argument('<id>', 'the user’s id')
      .option('--json', 'the answer of GET /admin/v1/users/{id} as it is (default: text)')
      .action(loadAction(context, async () => (await import('./show-user.ts')).showUser)),
    { examples: ['user show ada', 'user show ada --json'] },
  );

const eventsCommand = (context: CommandContext): Command =>
  withHelp(
    serviceCommand('events', 'Lists what was recorded about a user and what it caused, newest first.')
      .argument('<id>', 'the user’s id')
      .option('--limit <n>', 'how many events to show', wholeNumber(1), 20)
      .addOption(
        new Option(
          '--as-import <other>',
          'all metric events as they count now, as lines that `import` takes for this other user (default: a table)',
        ).conflicts(['limit', 'json']),
      )
      .option('--json', 'an event a line, as GET /admin/v1/users/{id}/events has them (default: a table)')
      .action(async (id: string, { asImport, ...options }: ListOptions & { readonly asImport?: string }) =>
        asImport === undefined
          ? (await import('./list-user-events.ts')).listUserEvents(id, options, context)
          : (await import('./events-as-import.ts')).eventsAsImport(id, asImport, options, context),
      ),
    {
      notes: [
        '--as-import leaves out retracted events and gives amended ones as they are now. The keys are the ids of the events, so the same',
        'import twice counts once. What is not carried over is listed on the standard error. With --url the key needs the scope export.',
      ],
      examples: [
        'user events ada',
        'user events ada --limit 1000 --json > ada.ndjson',
        'user events guest-7 --as-import ada > guest-7.ndjson',
      ],
    },
  );

const exportCommand = (context: CommandContext): Command =>
  withHelp(
    serviceCommand('export', 'Prints everything held about a user as JSON, for users who ask for their data.')
      .argument('<id>', 'the user')
      .action(loadAction(context, async () => (await import('./show-user.ts')).exportUser)),
    {
      notes: [
        'It reads the whole log. If it cannot be completed, the exit code is 2 and what was printed is a part of it.',
        'With --url the key needs the scope export.',
      ],
      examples: ['user export ada > ada.json'],
    },
  );

const eraseCommand = (context: CommandContext, answerer?: Answerer): Command =>
  withHelp(
    serviceCommand(
      'erase',
      'Erases a user for good: shows every place that holds something of them, asks, and prints a certificate.',
    )
      .argument('<id>', 'the user’s id')
      .addOption(
        new Option(
          '--boards <what>',
          'places on boards that run: remove moves up those below, anonymous keeps them without a name',
        )
          .choices(['remove', 'anonymous'])
          .default('remove'),
      )
      .addOption(requiredReasonOption('; it stays in clear text and must not name the user'))
      .option('--preview <id>', 'the id of a preview that was shown before: does not ask (default: shows one)')
      .option('-y, --yes', 'do not ask; needed where there is no terminal, without --preview')
      .option('--json', 'the answer of DELETE /admin/v1/users/{id} as it is (default: for people)')
      .action(async (id: string, options: EraseOptions) =>
        (await import('./erase-user.ts')).eraseUser(id, options, context, answerer),
      ),
    {
      notes: [
        'deleted: the row is gone. unreadable: its personal fields are sealed under a key that is destroyed. cleared: they are taken out.',
        'anonymous: the row stays under a number that leads to nobody. off_the_board: those below move up. counted_down: it counts one less.',
        'compacted_away: the topic gets a tombstone for each, and its compaction removes both.',
        'Backups from before hold the user until you delete them.',
      ],
      no: 'nothing was erased: the answer to the question was no',
      examples: [
        'user erase ada --reason "asked for by letter"',
        'user erase ada --reason "asked for by letter" --boards anonymous --yes > certificate.txt',
      ],
    },
  );
