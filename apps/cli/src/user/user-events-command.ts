import { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';
import { withServiceOptions } from '../service/service-options.ts';
import { rowCount } from '../users/row-count.ts';
import type { UserEventsOptions } from './list-user-events.ts';

export const userEventsCommand = (context: CommandContext): Command =>
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
