import type { NewWebhookAnswer, NewWebhookRequest } from '@laurel/schemas';
import type { CommandContext } from '../command-context.ts';
import { plainText } from '../plain-text.ts';
import { connectService, RATE_LIMITED, type ServiceConnection } from '../service/service-connection.ts';
import { noteIfDone } from '../service/service-error.ts';
import type { AnswerOptions } from '../service/service-options.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { print, printLines } from '../terminal/print.ts';
import { warningsOf } from './one-webhook.ts';

export interface WebhookOptions extends AnswerOptions {
  readonly type?: string[];
  readonly description?: string;
  readonly ordering?: 'user' | 'strict';
  /** In seconds. */
  readonly minimumInterval?: number;
  readonly trophySignature?: true;
}

export async function createWebhook(url: string, options: WebhookOptions, context: CommandContext): Promise<void> {
  const { type, description, ordering, trophySignature, minimumInterval } = options;
  const service = await connectService(options, context);
  const body: NewWebhookRequest = {
    url,
    ...(type !== undefined && { types: type }),
    ...(description !== undefined && { description }),
    ...(ordering !== undefined && { ordering }),
    ...(trophySignature !== undefined && { trophySignature }),
    ...(minimumInterval !== undefined && { minimumInterval }),
  };
  const created = await makeWebhook(service, body);
  if (options.json) return print(context.stdout, jsonLine(created));
  await printLines(context.stderr, [
    `made the webhook ${plainText(created.id)} to ${plainText(created.url)} for ${plainText(created.types?.join(', ') ?? 'all types')}`,
    ...warningsOf(created),
    'This is the only time that its secret is shown:',
  ]);
  await print(context.stdout, `${plainText(created.secret)}\n`);
}

/** @throws CommandError that says what to do if a webhook may have been created whose secret is lost */
export const makeWebhook = (service: ServiceConnection, body: NewWebhookRequest): Promise<NewWebhookAnswer> =>
  service
    .ask((client, settings) => client.POST('/admin/v1/webhooks', { body, ...settings }), { retryOn: RATE_LIMITED })
    .catch(noteIfDone(UNSEEN));

const UNSEEN =
  'A webhook may have been made whose secret nobody has seen: webhooks list shows whether there is one, and webhooks delete ID deletes it.';
