import { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';
import { withServiceOptions, type ServiceOptions } from '../service/service-options.ts';
import { rowCount } from '../users/row-count.ts';
import type { UserEventsOptions } from './list-user-events.ts';
import type { UserOptions } from './show-user.ts';

export const userCommand = (context: CommandContext): Command =>
  new Command('user')
    .description('Tells what is held about one user.')
    .addCommand(showCommand(context), { isDefault: true })
    .addCommand(eventsCommand(context))
    .addCommand(exportCommand(context));

const showCommand = (context: CommandContext): Command =>
  withHelp(
    withServiceOptions(
      new Command('show')
        .description('Shows a user and where they stand: profile, totals, streak, achievements, points, last events.')
        .argument('<id>', 'the user’s id'),
    )
      .option('--json', 'the answer of GET /admin/v1/users/{id} as it is (default: text)')
      .action(async (id: string, options: UserOptions) =>
        (await import('./show-user.ts')).showUser(id, options, context),
      ),
    { examples: ['user show ada', 'user show ada --json'] },
  );

const eventsCommand = (context: CommandContext): Command =>
  withHelp(
    withServiceOptions(
      new Command('events')
        .description('Lists what was recorded about a user and what it caused, newest first.')
        .argument('<id>', 'the user’s id'),
    )
      .option('--limit <n>', 'how many events to show', rowCount, 20)
      .option('--json', 'an event a line, as GET /admin/v1/users/{id}/events has them (default: a table)')
      .action(async (id: string, options: UserEventsOptions) =>
        (await import('./list-user-events.ts')).listUserEvents(id, options, context),
      ),
    { examples: ['user events ada', 'user events ada --limit 1000 --json > ada.ndjson'] },
  );

const exportCommand = (context: CommandContext): Command =>
  withHelp(
    withServiceOptions(
      new Command('export')
        .description('Prints everything held about a user as JSON, for users who ask for their data.')
        .argument('<id>', 'the user'),
    ).action(async (id: string, options: ServiceOptions) =>
      (await import('./export-user.ts')).exportUser(id, options, context),
    ),
    {
      notes: [
        'It reads the whole log. If it cannot be completed, the exit code is 2 and what was printed is a part of it.',
        'With --url the key needs the scope export.',
      ],
      examples: ['user export ada > ada.json'],
    },
  );
