import { formatInstant } from '@laurel/calendar/instants';
import type { NewApiKeyAnswer, NewKeyRequest } from '@laurel/schemas';
import type { CommandContext } from '../command-context.ts';
import { plainText } from '../plain-text.ts';
import { connectService, RATE_LIMITED, type ServiceConnection } from '../service/service-connection.ts';
import { noteIfDone } from '../service/service-error.ts';
import type { AnswerOptions } from '../service/service-options.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { print, printLines } from '../terminal/print.ts';
import { expiryOf, type Expiry } from './expiry.ts';

export interface CreateOptions extends AnswerOptions {
  readonly label: string;
  readonly scope: NewKeyRequest['scopes'];
  readonly expires?: Expiry;
  readonly requestsPerMinute?: number;
  readonly reason?: string;
}

export async function createKey(options: CreateOptions, context: CommandContext): Promise<void> {
  const service = await connectService(options, context);
  const body: NewKeyRequest = {
    label: options.label,
    scopes: options.scope,
    expiresAt: options.expires === undefined ? null : await instantOf(options.expires, service),
    requestsPerMinute: options.requestsPerMinute ?? null,
    ...(options.reason !== undefined && { reason: options.reason }),
  };
  const created = await service
    .ask((client, settings) => client.POST('/admin/v1/keys', { body, ...settings }), { retryOn: RATE_LIMITED })
    .catch(noteIfDone(UNSEEN_KEY));
  if (options.json) return print(context.stdout, jsonLine(created));
  await printLines(context.stderr, describe(created));
  await print(context.stdout, `${created.key}\n`);
}

const UNSEEN_KEY =
  'A key may have been made that nobody has seen: keys list shows whether there is one, and keys revoke ID revokes it.';

/** A duration counts from the service's present instant, whose clock may differ from ours. */
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
