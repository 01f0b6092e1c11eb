import type { CommandContext } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { plainText } from '../plain-text.ts';
import { connectService, RATE_LIMITED } from '../service/service-connection.ts';
import { RefusedError } from '../service/service-error.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { print } from '../terminal/print.ts';
import { noSuchWebhook } from './no-such-webhook.ts';
import type { OneOptions } from './one-webhook.ts';

export async function resendDelivery(
  id: string,
  delivery: string,
  options: OneOptions,
  context: CommandContext,
): Promise<void> {
  const service = await connectService(options, context);
  const params = { path: { id, delivery } };
  const resent = await service
    .ask(
      (client, settings) =>
        client.POST('/admin/v1/webhooks/{id}/deliveries/{delivery}/resend', { params, ...settings }),
      { retryOn: RATE_LIMITED },
    )
    .catch((error: unknown) => {
      if (error instanceof RefusedError && error.code === 'unknown_delivery')
        throw new CommandError(2, `the webhook has no delivery ${plainText(delivery)}: webhooks deliveries shows them`);
      return noSuchWebhook(id)(error);
    });
  await print(
    context.stdout,
    options.json
      ? jsonLine(resent)
      : `outcome ${resent.sequence} (${plainText(resent.type)}) is sent again: delivery ${plainText(resent.id)} is ${resent.state}\n`,
  );
}
