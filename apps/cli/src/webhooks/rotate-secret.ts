import type { CommandContext } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { plainText } from '../plain-text.ts';
import { connectService, RATE_LIMITED } from '../service/service-connection.ts';
import { mayHaveBeenDone } from '../service/service-error.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { print, printLines } from '../terminal/print.ts';
import { noSuchWebhook } from './no-such-webhook.ts';
import type { OneOptions } from './one-webhook.ts';

export async function rotateSecret(id: string, options: OneOptions, context: CommandContext): Promise<void> {
  const service = await connectService(options, context);
  const rotated = await service
    .ask(
      (client, settings) => client.POST('/admin/v1/webhooks/{id}/secret', { params: { path: { id } }, ...settings }),
      { retryOn: RATE_LIMITED },
    )
    .catch((error: unknown) => {
      if (mayHaveBeenDone(error)) throw new CommandError(error.exitCode, `${error.message}\n${UNSEEN}`);
      return noSuchWebhook(id)(error);
    });
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
