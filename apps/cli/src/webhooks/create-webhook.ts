import type { NewWebhookRequest } from '@laurel/schemas';
import type { CommandContext } from '../command-context.ts';
import { plainText } from '../plain-text.ts';
import { connectService } from '../service/service-connection.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { print, printLines } from '../terminal/print.ts';
import { makeWebhook } from './make-webhook.ts';
import { warningsOf } from './one-webhook.ts';

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
  const created = await makeWebhook(service, body);
  if (options.json) return print(context.stdout, jsonLine(created));
  await printLines(context.stderr, [
    `made the webhook ${plainText(created.id)} to ${plainText(created.url)} for ${plainText(created.types?.join(', ') ?? 'all types')}`,
    ...warningsOf(created),
    'This is the only time that its secret is shown:',
  ]);
  await print(context.stdout, `${plainText(created.secret)}\n`);
}
