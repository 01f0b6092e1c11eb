import { InvalidArgumentError, type Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import type { Answerer } from '../terminal/terminal-question.ts';
import { withHelp } from '../help-text.ts';
import { serviceCommand } from '../service/service-options.ts';
import type { AmendOptions, CorrectOptions } from './correct-events.ts';

export const retractCommand = (context: CommandContext, answerer?: Answerer): Command =>
  withHelp(
    withCorrectOptions(
      serviceCommand(
        'retract',
        'Makes events as if they had never been; shows what that changes, and asks. A correction is undone so, too.',
      ).argument('<events...>', 'ids of events, as their answers named them'),
    ).action(async (events: readonly string[], options: CorrectOptions) =>
      (await import('./correct-events.ts')).retractEvents(events, options, context, answerer),
    ),
    { examples: ['retract 0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6a --reason "sent twice"'] },
  );

export const amendCommand = (context: CommandContext, answerer?: Answerer): Command =>
  withHelp(
    withCorrectOptions(
      serviceCommand(
        'amend',
        'Makes metric events as if they had had another value, instant or zone; shows what that changes, and asks.',
      ).argument('<events...>', 'ids of metric events, as their answers named them'),
    )
      .option('--value <number>', 'the value that they are to have (default: unchanged)', anyNumber)
      .option('--occurred-at <instant>', 'when they are to have happened, ISO 8601 (default: unchanged)')
      .option('--tz <zone>', 'the IANA time zone that they are to name (default: unchanged)')
      .action(async (events: readonly string[], options: AmendOptions) =>
        (await import('./correct-events.ts')).amendEvents(events, options, context, answerer),
      ),
    { examples: ['amend 0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6a --value 3 --reason "the app counted minutes"'] },
  );

const withCorrectOptions = (command: Command): Command =>
  command
    .requiredOption('--reason <text>', 'why, in up to 1,000 characters; the log records it with who did it (required)')
    .option('--keep-achievements', 'what was completed stays completed (default: it is taken back)')
    .option('--change-final-runs', 'correct runs of leaderboards that are final, too (default: they stay)')
    .option('--yes', 'do not ask (default: ask, and do nothing where nobody can answer)')
    .option('--preview <id>', 'carry out this preview, which was shown before; nothing is asked (default: preview now)')
    .option('--idempotency-key <key>', 'the same key again changes nothing (default: the id of the preview)')
    .option('--json', 'the answer of POST /admin/v1/corrections as it is (default: for people)');

function anyNumber(text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number)) throw new InvalidArgumentError('Expected a number.');
  return number;
}
