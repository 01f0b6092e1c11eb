import type { Instant } from '@laurel/calendar';
import { parseInstant } from '@laurel/calendar/instants';
import { InvalidArgumentError, type Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';
import { loadAction } from '../load-action.ts';
import { serviceCommand } from '../service/service-options.ts';
import { wholeNumber } from '../terminal/whole-number.ts';

const DEFAULTS = { seed: 1, users: 300, days: 60 };

export const demoCommand = (context: CommandContext): Command =>
  withHelp(
    serviceCommand('demo', 'Fills a service that runs with the demo configuration with a made-up history.')
      .option('--seed <number>', 'another seed, another history', wholeNumber(0), DEFAULTS.seed)
      .option('--users <number>', 'how many learners there are, 1 to 10000', wholeNumber(1, 10_000), DEFAULTS.users)
      .option('--days <number>', 'how many days the history has, 1 to 366', wholeNumber(1, 366), DEFAULTS.days)
      .option(
        '--until <instant>',
        'where it ends (default: the beginning of the present day, UTC, by the service’s clock)',
        anInstant,
      )
      .option('--force', 'also beside other users')
      .action(loadAction(context, async () => (await import('./run-demo.ts')).runDemo)),
    {
      examples: ['demo', 'demo --users 50 --days 14', 'demo --seed 7 --until 2026-11-21T00:00:00Z'],
      notes: [
        'The same seed, number of days and end give the same history; sent twice, it is recorded once.',
        'A log only grows: what the demo records stays, and its users would stand among yours on every board and in',
        'every percentage. So it refuses a service that holds other users, unless it is told to go on with --force.',
      ],
    },
  );

function anInstant(text: string): Instant {
  const instant = parseInstant(text);
  if (instant === null) throw new InvalidArgumentError('It takes an instant such as 2026-11-21T00:00:00Z.');
  return instant;
}
