import type { CommandContext } from '../command-context.ts';
import { plainText } from '../plain-text.ts';
import { connectService, RATE_LIMITED } from '../service/service-connection.ts';
import { noteIfDone } from '../service/service-error.ts';
import type { AnswerOptions } from '../service/service-options.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { print, printLines } from '../terminal/print.ts';
import { noSuchWebhook } from './one-webhook.ts';

export async function rotateSecret(id: string, options: AnswerOptions, context: CommandContext): Promise<void> {
  const service = await connectService(options, context);
  const rotated = await service
    .ask(
      (client, settings) => client.POST('/admin/v1/webhooks/{id}/secret', { params: { path: { id } }, ...settings }),
      { retryOn: RATE_LIMITED },
    )
    .catch(noteIfDone(UNSEEN))
    .catch(noSuchWebhook(id));
  if (options.json) return print(context.stdout, jsonLine(rotated));
  const { secret, previousUntil } = rotated;
  await printLines(context.stderr, [
    `the webhook ${plainText(id)} has a new secret` +
      (previousUntil === null ? '' : `; the one before it signs as well until ${plainText(previousUntil)}`),
    'This is the only time that it is shown:',
  ]);
  await print(context.stdout, `${plainText(secret)}\n`);
}

const UNSEEN =
  'The webhook may have a new secret that nobody has seen. If so, the one before it signs for 24 hours only: rotate again, and give the receiver the secret at once.';
