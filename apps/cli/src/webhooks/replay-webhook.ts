import type { WebhookReplayRequest } from '@laurel/schemas';
import type { CommandContext } from '../command-context.ts';
import { plainText } from '../plain-text.ts';
import { connectService, RATE_LIMITED } from '../service/service-connection.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { print } from '../terminal/print.ts';
import { noSuchWebhook } from './no-such-webhook.ts';
import type { OneOptions } from './one-webhook.ts';

export interface ReplayOptions extends OneOptions {
  readonly from: number;
  readonly type?: string[];
}

export async function replayWebhook(
  id: string,
  { from, type, ...options }: ReplayOptions,
  context: CommandContext,
): Promise<void> {
  const service = await connectService(options, context);
  const body: WebhookReplayRequest = { from, ...(type !== undefined && { types: type }) };
  const webhook = await service
    .ask(
      (client, settings) =>
        client.POST('/admin/v1/webhooks/{id}/replay', { params: { path: { id } }, body, ...settings }),
      { retryOn: RATE_LIMITED },
    )
    .catch(noSuchWebhook(id));
  await print(
    context.stdout,
    options.json
      ? jsonLine(webhook)
      : `the webhook ${plainText(webhook.id)} is sent the outcomes from ${from} on again, marked by webhook-replay\n`,
  );
}
