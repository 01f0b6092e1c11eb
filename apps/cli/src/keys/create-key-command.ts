import { formatInstant } from '@laurel/calendar';
import type { NewApiKeyAnswer, NewKeyRequest } from '@laurel/contracts';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { withHelp } from '../help-text.ts';
import { plainText } from '../plain-text.ts';
import { connectService, RATE_LIMITED, type ServiceConnection } from '../service/service-connection.ts';
import { OutcomeUnknownError, RefusedError } from '../service/service-error.ts';
import { withServiceOptions, type ServiceOptions } from '../service/service-options.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { print, printLines } from '../terminal/print.ts';
import { expiryOf, parseExpiry, type Expiry } from './expiry.ts';

interface CreateOptions extends ServiceOptions {
  readonly label: string;
  readonly scope: NewKeyRequest['scopes'];
  readonly expires?: Expiry;
  readonly requestsPerMinute?: number;
  readonly json?: true;
}

export const createKeyCommand = (context: CommandContext): Command =>
  withHelp(
    withServiceOptions(
      new Command('create')
        .description('Makes an API key and prints it, alone on the standard output: it is never shown again.')
        .requiredOption('--label <text>', 'whose key it is, for people (required)')
        .addOption(
          new Option('--scope <scope...>', 'what it may be used for; once for each (required)')
            .choices(['ingest', 'read', 'admin'])
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
          wholeNumber,
        )
        .option('--json', 'the answer of POST /admin/v1/keys as it is, the key among it (default: the key alone)'),
    ).action((options: CreateOptions) => createKey(options, context)),
    {
      examples: [
        'keys create --label "mobile backend" --scope ingest --scope read',
        'keys create --label "intern" --scope read --expires 90d --requests-per-minute 60 > key.txt',
      ],
    },
  );

async function createKey(options: CreateOptions, context: CommandContext): Promise<void> {
  const service = await connectService(options, context);
  const body: NewKeyRequest = {
    label: options.label,
    scopes: options.scope,
    expiresAt: options.expires === undefined ? null : await instantOf(options.expires, service),
    requestsPerMinute: options.requestsPerMinute ?? null,
  };
  const created = await service
    .ask((client, settings) => client.POST('/admin/v1/keys', { body, ...settings }), { retryOn: RATE_LIMITED })
    .catch((error: unknown) => {
      throw mayHaveMadeOne(error) ? new CommandError(error.exitCode, `${error.message}\n${UNSEEN_KEY}`) : error;
    });
  if (options.json) return print(context.stdout, jsonLine(created));
  await printLines(context.stderr, describe(created));
  await print(context.stdout, `${created.key}\n`);
}

const mayHaveMadeOne = (error: unknown): error is CommandError =>
  error instanceof OutcomeUnknownError || (error instanceof RefusedError && error.status >= 500);

const UNSEEN_KEY =
  'A key may have been made that nobody has seen: keys list shows whether there is one, and keys revoke ID revokes it.';

/** A time from now is counted on the clock of the service, which need not be ours. */
async function instantOf(expiry: Expiry, service: ServiceConnection): Promise<string> {
  if (expiry.type === 'instant') return formatInstant(expiry.at);
  const { now } = await service.ask((client, settings) => client.GET('/admin/v1/status', settings));
  return formatInstant(expiryOf(expiry, Date.parse(now)));
}

const describe = ({ id, label, scopes, expiresAt, requestsPerMinute }: NewApiKeyAnswer): string[] => [
  `made the key ${plainText(id)} "${plainText(label)}" for ${scopes.join(', ')}; ` +
    `${expiresAt === null ? 'it does not expire' : `it expires at ${plainText(expiresAt)}`}; ` +
    `${requestsPerMinute === null ? 'no limit of requests' : `at most ${requestsPerMinute} requests a minute`}`,
  'This is the only time that it is shown:',
];

function expiryArgument(text: string): Expiry {
  const expiry = parseExpiry(text);
  if (expiry === null)
    throw new InvalidArgumentError('Expected an instant such as 2027-01-31T00:00:00Z, or 12h, 90d, 4w.');
  return expiry;
}

function wholeNumber(text: string): number {
  if (!/^\d{1,7}$/.test(text) || Number(text) < 1) throw new InvalidArgumentError('Expected a whole number from 1 on.');
  return Number(text);
}
