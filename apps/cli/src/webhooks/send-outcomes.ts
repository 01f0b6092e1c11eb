import type { WebhookReplayRequest, WebhookTestAnswer } from '@laurel/schemas';
import type { CommandContext } from '../command-context.ts';
import { plainText } from '../plain-text.ts';
import { connectService, RATE_LIMITED } from '../service/service-connection.ts';
import { refusedAs } from '../service/service-error.ts';
import type { AnswerOptions } from '../service/service-options.ts';
import { printAnswer } from '../terminal/print-answer.ts';
import { noSuchWebhook } from './one-webhook.ts';

export interface ReplayOptions extends AnswerOptions {
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
  const params = { path: { id } };
  const webhook = await service
    .ask((client, settings) => client.POST('/admin/v1/webhooks/{id}/replay', { params, body, ...settings }), {
      retryOn: RATE_LIMITED,
    })
    .catch(noSuchWebhook(id));
  await printAnswer(context, options, webhook, () => [
    `the webhook ${plainText(webhook.id)} is sent the outcomes from ${from} on again, marked by webhook-replay`,
  ]);
}

export async function resendDelivery(
  id: string,
  delivery: string,
  options: AnswerOptions,
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
    .catch(noSuchWebhook(id))
    .catch(
      refusedAs(
        'unknown_delivery',
        `the webhook has no delivery ${plainText(delivery)}: webhooks deliveries shows them`,
      ),
    );
  await printAnswer(context, options, resent, () => [
    `outcome ${resent.sequence} (${plainText(resent.type)}) is sent again: delivery ${plainText(resent.id)} is ${resent.state}`,
  ]);
}

/** Sets exit code 1 if the test was not delivered. */
export async function testWebhook(id: string, options: AnswerOptions, context: CommandContext): Promise<void> {
  const service = await connectService(options, context);
  const params = { path: { id } };
  const tested = await service
    .ask((client, settings) => client.POST('/admin/v1/webhooks/{id}/test', { params, ...settings }), {
      retryOn: RATE_LIMITED,
    })
    .catch(noSuchWebhook(id));
  if (!tested.delivered) context.setExitCode(1);
  await printAnswer(context, options, tested, testLines);
}

function testLines({ delivered, status, tookMs, response, error }: WebhookTestAnswer): string[] {
  const answered = [
    status === null ? 'no answer' : `answered with ${status}`,
    tookMs === null ? '' : ` after ${tookMs} ms`,
    error === null ? '' : `: ${plainText(error)}`,
  ].join('');
  return [
    `${delivered ? 'delivered' : 'not delivered'}: ${answered}`,
    ...(response === null || response === '' ? [] : [plainText(response, LONGEST_RESPONSE)]),
  ];
}

/** The service keeps 1 KiB of a response. */
const LONGEST_RESPONSE = 1_024;
