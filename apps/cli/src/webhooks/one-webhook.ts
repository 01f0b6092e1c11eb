import type { WebhookAnswer, WebhookChange } from '@laurel/schemas';
import type { CommandContext } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { plainText } from '../plain-text.ts';
import { connectService, type Request } from '../service/service-connection.ts';
import { refusedAs } from '../service/service-error.ts';
import type { AnswerOptions } from '../service/service-options.ts';
import { printAnswer } from '../terminal/print-answer.ts';
import { printLines } from '../terminal/print.ts';
import type { WebhookOptions } from './create-webhook.ts';

export interface ChangeOptions extends Omit<WebhookOptions, 'trophySignature'> {
  readonly address?: string;
  readonly allTypes?: true;
  /** Missing to leave it unchanged. */
  readonly trophySignature?: boolean;
}

export function changeWebhook(id: string, options: ChangeOptions, context: CommandContext): Promise<void> {
  const { address, type, allTypes, description, ordering, trophySignature, minimumInterval } = options;
  const body: WebhookChange = {
    ...(address !== undefined && { url: address }),
    ...(type !== undefined && { types: type }),
    ...(allTypes && { types: null }),
    ...(description !== undefined && { description }),
    ...(ordering !== undefined && { ordering }),
    ...(trophySignature !== undefined && { trophySignature }),
    ...(minimumInterval !== undefined && { minimumInterval }),
  };
  if (Object.keys(body).length === 0) throw new CommandError(2, 'say what is to be changed: --help lists the options');
  return act({ id, done: 'changed', options, context }, (client, settings) =>
    client.PATCH('/admin/v1/webhooks/{id}', { params: { path: { id } }, body, ...settings }),
  );
}

export const deleteWebhook = (id: string, options: AnswerOptions, context: CommandContext): Promise<void> =>
  act({ id, done: 'deleted', options, context }, (client, settings) =>
    client.DELETE('/admin/v1/webhooks/{id}', { params: { path: { id } }, ...settings }),
  );

export const enableWebhook = (id: string, options: AnswerOptions, context: CommandContext): Promise<void> =>
  act({ id, done: 'enabled', options, context }, (client, settings) =>
    client.POST('/admin/v1/webhooks/{id}/enable', { params: { path: { id } }, ...settings }),
  );

export const disableWebhook = (id: string, options: AnswerOptions, context: CommandContext): Promise<void> =>
  act({ id, done: 'disabled', options, context }, (client, settings) =>
    client.POST('/admin/v1/webhooks/{id}/disable', { params: { path: { id } }, ...settings }),
  );

interface Act {
  readonly id: string;
  /** The verb of the printed sentence. */
  readonly done: string;
  readonly options: AnswerOptions;
  readonly context: CommandContext;
}

async function act(
  { id, done, options, context }: Act,
  request: Request<{ readonly data?: WebhookAnswer; readonly error?: unknown; readonly response: Response }>,
): Promise<void> {
  const service = await connectService(options, context);
  const webhook = await service.ask(request).catch(noSuchWebhook(id));
  await printAnswer(context, options, webhook, () => [
    `${done} the webhook ${plainText(webhook.id)} to ${plainText(webhook.url)}`,
  ]);
  if (!options.json) await printLines(context.stderr, warningsOf(webhook));
}

export const noSuchWebhook = (id: string) =>
  refusedAs('unknown_webhook', `there is no webhook ${plainText(id)}: webhooks list shows them`);

export const warningsOf = ({ warnings }: Pick<WebhookAnswer, 'warnings'>): readonly string[] =>
  warnings.map((warning) => `warning: ${plainText(warning)}`);
