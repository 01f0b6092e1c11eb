import type { CommandContext } from '../command-context.ts';
import { plainText } from '../plain-text.ts';
import { connectService, RATE_LIMITED } from '../service/service-connection.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { print } from '../terminal/print.ts';
import { noSuchWebhook } from './no-such-webhook.ts';
import type { OneOptions } from './one-webhook.ts';

/** Ends with 1 if it was not delivered. */
export async function testWebhook(id: string, options: OneOptions, context: CommandContext): Promise<void> {
  const service = await connectService(options, context);
  const tested = await service
    .ask((client, settings) => client.POST('/admin/v1/webhooks/{id}/test', { params: { path: { id } }, ...settings }), {
      retryOn: RATE_LIMITED,
    })
    .catch(noSuchWebhook(id));
  const { delivered, status, tookMs, response, error } = tested;
  if (!delivered) context.setExitCode(1);
  if (options.json) return print(context.stdout, jsonLine(tested));
  const answered = [
    status === null ? 'no answer' : `answered with ${status}`,
    tookMs === null ? '' : ` after ${tookMs} ms`,
    error === null ? '' : `: ${plainText(error)}`,
  ].join('');
  await print(context.stdout, `${delivered ? 'delivered' : 'not delivered'}: ${answered}\n`);
  if (response !== null && response !== '') await print(context.stdout, `${plainText(response, LONGEST_RESPONSE)}\n`);
}

/** The service keeps 1 KiB. */
const LONGEST_RESPONSE = 1_024;
