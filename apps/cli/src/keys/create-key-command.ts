import { SCOPES } from '@laurel/schemas/scopes';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';
import { loadAction } from '../load-action.ts';
import { reasonOption, withServiceOptions } from '../service/service-options.ts';
import { wholeNumber } from '../terminal/whole-number.ts';
import { parseExpiry, type Expiry } from './expiry.ts';

export const createKeyCommand = (context: CommandContext): Command =>
  withHelp(
    withServiceOptions(
      new Command('create')
        .description('Makes an API key and prints it, alone on the standard output: it is never shown again.')
        .requiredOption('--label <text>', 'whose key it is, for people (required)')
        .addOption(
          new Option('--scope <scope...>', 'what it may be used for; once for each (required)')
            .choices(SCOPES)
            .makeOptionMandatory(),
        )
        .option(
          '--expires <when>',
          'an instant (2027-01-31T00:00:00Z), or a time from now in hours, days or weeks (12h, 90d, 4w); default: never',
          expiryArgument,
        )
        .option(
          '--requests-per-minute <n>',
          'how many requests it may make in a minute; default: no limit',
          wholeNumber(1, 9_999_999),
        )
        .addOption(reasonOption())
        .option('--json', 'the answer of POST /admin/v1/keys as it is, the key among it (default: the key alone)'),
    ).action(loadAction(context, async () => (await import('./create-key.ts')).createKey)),
    {
      examples: [
        'keys create --label "mobile backend" --scope ingest --scope read',
        'keys create --label "intern" --scope read --expires 90d --requests-per-minute 60 > key.txt',
      ],
    },
  );

function expiryArgument(text: string): Expiry {
  const expiry = parseExpiry(text);
  if (expiry === null)
    throw new InvalidArgumentError('Expected an instant such as 2027-01-31T00:00:00Z, or 12h, 90d, 4w.');
  return expiry;
}
