import { Command, InvalidArgumentError, Option } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';
import { requiredReasonOption, serviceCommand } from '../service/service-options.ts';
import type { ExcuseAllOptions } from './excuse-everybody.ts';
import type { BoostOptions, GrantOptions, PointsOptions } from './give-grant.ts';

export const grantCommand = (context: CommandContext): Command =>
  new Command('grant')
    .description('Gives a user something by hand, or takes it; the log records who did it and why.')
    .addCommand(pointsCommand(context))
    .addCommand(boostCommand(context))
    .addCommand(freezesCommand(context))
    .addCommand(streakCommand(context))
    .addCommand(excuseCommand(context))
    .addCommand(excuseAllCommand(context))
    .addCommand(achievementCommand(context))
    .addCommand(revokeCommand(context));

const pointsCommand = (context: CommandContext): Command =>
  withHelp(
    withGrantOptions(
      serviceCommand(
        'points',
        'Gives a user points; a negative amount takes them. The total stays between 0 and the cap.',
      )
        .argument('<user>', 'the user’s id')
        .argument('<system>', 'key of the points system')
        .argument('<amount>', 'whole points, not 0; a negative one stands behind --', wholeNumber),
      'points',
    )
      .option('--no-boards', 'count them on no leaderboard (default: they count)')
      .action(async (user: string, system: string, amount: number, options: PointsOptions) =>
        (await import('./give-grant.ts')).grantPoints({ user, system, amount }, options, context),
      ),
    {
      examples: [
        'grant points ada xp 50 --reason "the lesson of 2 March was not counted" --idempotency-key ticket-4711',
        'grant points --reason "counted twice" ada xp -- -50',
      ],
    },
  );

const boostCommand = (context: CommandContext): Command =>
  withHelp(
    withGrantOptions(
      serviceCommand('boost', 'Gives a user a boost: for a time, it multiplies what triggers give in a points system.')
        .argument('<user>', 'the user’s id')
        .argument('<system>', 'key of the points system')
        .argument('<multiplier>', 'from 0.01 to 100, with at most two decimals', decimal),
      'boost',
    )
      .option(
        '--minutes <count>',
        'for how long, from now on (default: until --until, which is required without it)',
        wholeNumber,
      )
      .option('--until <instant>', 'when it ends, such as 2026-03-09T00:00:00Z (default: after --minutes)')
      .option('--name <name>', 'the name to show; it stays if the user is erased (default: Boost)')
      .addOption(
        new Option('--rounding <how>', 'how an award becomes a whole number (default: down)').choices([
          'down',
          'up',
          'nearest',
        ]),
      )
      .action(async (user: string, system: string, multiplier: number, options: BoostOptions) =>
        (await import('./give-grant.ts')).grantBoost({ user, system, multiplier }, options, context),
      ),
    { examples: ['grant boost ada xp 2 --minutes 60 --name "Happy hour" --reason "won in the raffle"'] },
  );

const freezesCommand = (context: CommandContext): Command =>
  withHelp(
    withGrantOptions(
      serviceCommand('freezes', 'Gives a user streak freezes, up to the configured maximum.')
        .argument('<user>', 'the user’s id')
        .argument('<amount>', 'how many', wholeNumber),
      'freezes',
    ).action(async (user: string, amount: number, options: GrantOptions) =>
      (await import('./give-grant.ts')).grantFreezes({ user, amount }, options, context),
    ),
    { examples: ['grant freezes ada 1 --reason "the service was down on 2 March"'] },
  );

const streakCommand = (context: CommandContext): Command =>
  withHelp(
    withGrantOptions(
      serviceCommand('streak', 'Restores a user’s streak that has ended; the present period can extend it.').argument(
        '<user>',
        'the user’s id',
      ),
      'streak',
    ).action(async (user: string, options: GrantOptions) =>
      (await import('./give-grant.ts')).restoreStreak({ user }, options, context),
    ),
    { examples: ['grant streak ada --reason "the service was down on 2 March"'] },
  );

const excuseCommand = (context: CommandContext): Command =>
  withHelp(
    withGrantOptions(
      serviceCommand(
        'excuse',
        'Excuses days of a user’s streak, past or to come: they need not be met, use no freeze and extend nothing.',
      )
        .argument('<user>', 'the user’s id')
        .argument('<from>', 'the first date, on the user’s clock')
        .argument('[to]', 'the last date, at most 366 days with the first (default: the first)'),
      'excused',
    ).action(async (user: string, from: string, to: string | undefined, options: GrantOptions) =>
      (await import('./give-grant.ts')).excuseDays({ user, from, to: to ?? from }, options, context),
    ),
    { examples: ['grant excuse ada 2026-03-02 2026-03-03 --reason "the service was down"'] },
  );

const excuseAllCommand = (context: CommandContext): Command =>
  withHelp(
    serviceCommand(
      'excuse-all',
      'Excuses days of everybody’s streak, as after an outage. Broken off, it goes on if it is run again with the same key.',
    )
      .argument('<from>', 'the first date, on each user’s clock')
      .argument('[to]', 'the last date, at most 366 days with the first (default: the first)')
      .addOption(requiredReasonOption())
      .requiredOption('--idempotency-key <key>', 'the same key again passes over whoever has it by it (required)')
      .option('--json', 'the sums as JSON (default: for people)')
      .action(async (from: string, to: string | undefined, options: ExcuseAllOptions) =>
        (await import('./excuse-everybody.ts')).excuseEverybody({ from, to: to ?? from }, options, context),
      ),
    { examples: ['grant excuse-all 2026-03-02 --reason "the service was down" --idempotency-key outage-7'] },
  );

const achievementCommand = (context: CommandContext): Command =>
  withHelp(
    withGrantOptions(
      serviceCommand(
        'achievement',
        'Completes an achievement for a user, and what is made of it, with the points for them.',
      )
        .argument('<user>', 'the user’s id')
        .argument('<achievement>', 'key of the achievement'),
      'achievement',
    ).action(async (user: string, achievement: string, options: GrantOptions) =>
      (await import('./give-grant.ts')).grantAchievement({ user, achievement }, options, context),
    ),
    { examples: ['grant achievement ada first-lesson --reason "completed in the old app"'] },
  );

const revokeCommand = (context: CommandContext): Command =>
  withHelp(
    withGrantOptions(
      serviceCommand(
        'revoke',
        'Takes an achievement back from a user; the points that it gave stay. If its condition is met, the next event completes it, and pays for it, again.',
      )
        .argument('<user>', 'the user’s id')
        .argument('<achievement>', 'key of the achievement'),
      'revocation',
    ).action(async (user: string, achievement: string, options: GrantOptions) =>
      (await import('./give-grant.ts')).revokeAchievement({ user, achievement }, options, context),
    ),
    { examples: ['grant revoke ada first-lesson --reason "completed by mistake"'] },
  );

const withGrantOptions = (command: Command, kind: string): Command =>
  command
    .addOption(requiredReasonOption())
    .option(
      '--idempotency-key <key>',
      'the same key again changes nothing, so that a retry is safe (default: none, and nothing is sent again)',
    )
    .option('--json', `the answer of POST /admin/v1/users/{id}/grants/${kind} as it is (default: for people)`);

function decimal(text: string): number {
  if (!/^\d{1,3}(?:\.\d{1,2})?$/.test(text))
    throw new InvalidArgumentError('Expected a number with at most two decimals.');
  return Number(text);
}

function wholeNumber(text: string): number {
  if (!/^-?\d{1,10}$/.test(text)) throw new InvalidArgumentError('Expected a whole number.');
  return Number(text);
}
