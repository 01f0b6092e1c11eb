import type { NewWebhookRequest } from '@laurel/contracts';
import type { CommandContext } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { plainText } from '../plain-text.ts';
import { connectService, RATE_LIMITED } from '../service/service-connection.ts';
import { mayHaveBeenDone } from '../service/service-error.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { print, printLines } from '../terminal/print.ts';

export interface CreateOptions extends ServiceOptions {
  readonly type?: string[];
  readonly description?: string;
  readonly ordering?: 'user' | 'strict';
  /** Seconds. */
  readonly minimumInterval?: number;
  readonly trophySignature?: true;
  readonly json?: true;
}

export async function createWebhook(url: string, options: CreateOptions, context: CommandContext): Promise<void> {
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
  const created = await service
    .ask((client, settings) => client.POST('/admin/v1/webhooks', { body, ...settings }), { retryOn: RATE_LIMITED })
    .catch((error: unknown) => {
      throw mayHaveBeenDone(error) ? new CommandError(error.exitCode, `${error.message}\n${UNSEEN}`) : error;
    });
  if (options.json) return print(context.stdout, jsonLine(created));
  await printLines(context.stderr, [
    `made the webhook ${plainText(created.id)} to ${plainText(created.url)} for ${plainText(created.types?.join(', ') ?? 'all types')}`,
    'This is the only time that its secret is shown:',
  ]);
  await print(context.stdout, `${plainText(created.secret)}\n`);
}

const UNSEEN =
  'A webhook may have been made whose secret nobody has seen: webhooks list shows whether there is one, and webhooks delete ID deletes it.';
