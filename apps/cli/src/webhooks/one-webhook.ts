import type { WebhookAnswer } from '@laurel/schemas';
import type { CommandContext } from '../command-context.ts';
import { plainText } from '../plain-text.ts';
import { connectService } from '../service/service-connection.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { print, printLines } from '../terminal/print.ts';
import { noSuchWebhook } from './no-such-webhook.ts';

export interface OneOptions extends ServiceOptions {
  readonly json?: true;
}

export async function deleteWebhook(id: string, options: OneOptions, context: CommandContext): Promise<void> {
  const service = await connectService(options, context);
  const deleted = await service
    .ask((client, settings) => client.DELETE('/admin/v1/webhooks/{id}', { params: { path: { id } }, ...settings }))
    .catch(noSuchWebhook(id));
  await show(deleted, 'deleted', options, context);
}

export async function enableWebhook(id: string, options: OneOptions, context: CommandContext): Promise<void> {
  const service = await connectService(options, context);
  const enabled = await service
    .ask((client, settings) => client.POST('/admin/v1/webhooks/{id}/enable', { params: { path: { id } }, ...settings }))
    .catch(noSuchWebhook(id));
  await show(enabled, 'enabled', options, context);
}

export async function disableWebhook(id: string, options: OneOptions, context: CommandContext): Promise<void> {
  const service = await connectService(options, context);
  const disabled = await service
    .ask((client, settings) =>
      client.POST('/admin/v1/webhooks/{id}/disable', { params: { path: { id } }, ...settings }),
    )
    .catch(noSuchWebhook(id));
  await show(disabled, 'disabled', options, context);
}

/** Tells what was done with a webhook. */
export async function show(
  webhook: WebhookAnswer,
  done: string,
  { json }: OneOptions,
  { stdout, stderr }: CommandContext,
): Promise<void> {
  if (json) return print(stdout, jsonLine(webhook));
  await print(stdout, `${done} the webhook ${plainText(webhook.id)} to ${plainText(webhook.url)}\n`);
  await printLines(stderr, warningsOf(webhook));
}

export const warningsOf = ({ warnings }: Pick<WebhookAnswer, 'warnings'>): readonly string[] =>
  warnings.map((warning) => `warning: ${plainText(warning)}`);
