import { Argument, type Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';
import { loadAction } from '../load-action.ts';
import { serviceCommand } from '../service/service-options.ts';
import { wholeNumber } from '../terminal/whole-number.ts';
import type { WhyKind, WhyOptions } from './why.ts';

const KINDS = ['points', 'streak', 'achievement', 'board'] as const;

export const whyCommand = (context: CommandContext): Command =>
  withHelp(
    serviceCommand('why', 'Explains a number of a user: points, a streak, an achievement, a place on a board.')
      .argument('<user>', 'id of the user')
      .addArgument(new Argument('<what>', 'the kind of number').choices(KINDS))
      .argument('[name]', 'key of the points system, achievement or board; for a streak a date (default: today)')
      .option('--run <date>', 'of a board: any date within the run (default: the present one)')
      .option('--event <id>', 'of points: what one event gave, and why its other triggers gave nothing (default: all)')
      .option('--cursor <next>', 'of points and boards: what the page before ends with (default: from the newest on)')
      .option('--limit <n>', 'how many entries to show, from the newest on', wholeNumber(1, 50), 20)
      .option('--json', 'the answer of the API as it is (default: a table)')
      .action(async (user: string, what: WhyKind, name: string | undefined, options: WhyOptions) =>
        (await import('./why.ts')).why({ user, what, name }, options, context),
      ),
    {
      examples: [
        'why ada points xp',
        'why ada points xp --event 01a1fd77-d074-753a-836c-87e905fbb1f9',
        'why ada streak 2026-03-01',
        'why ada achievement first',
        'why ada board weekly',
      ],
    },
  );

export const eventCommand = (context: CommandContext): Command =>
  withHelp(
    serviceCommand('event', 'Shows an event and all that it caused.')
      .argument('<id>', 'id of the event')
      .option('--cursor <next>', 'of an event of many users: what the page before ends with (default: from the first)')
      .option('--json', 'the answer of GET /admin/v1/events/{eventId} as it is (default: lines)')
      .action(loadAction(context, async () => (await import('./show-event.ts')).showEvent)),
    { examples: ['event 01a1fd77-d074-753a-836c-87e905fbb1f9'] },
  );
