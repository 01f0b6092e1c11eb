import type { WebhookAnswer } from '@laurel/schemas';
import type { CommandContext } from '../command-context.ts';
import { connectService } from '../service/service-connection.ts';
import type { AnswerOptions } from '../service/service-options.ts';
import { printAnswer } from '../terminal/print-answer.ts';
import { table } from '../terminal/table.ts';

export async function listWebhooks(options: AnswerOptions, context: CommandContext): Promise<void> {
  const service = await connectService(options, context);
  const webhooks = await service.ask((client, settings) => client.GET('/admin/v1/webhooks', settings));
  await printAnswer(context, options, webhooks, () =>
    webhooks.length === 0 ? ['there are no webhooks'] : table(HEADER, webhooks.map(rowOf)),
  );
}

const HEADER = ['id', 'address', 'types', 'description', 'state', 'behind', 'unfinished', 'abandoned', 'last success'];

const rowOf = ({ id, url, types, description, lastSuccessAt, ...webhook }: WebhookAnswer): string[] => [
  ...[id, url, types?.join(',') ?? 'all', description, stateOf(webhook)],
  ...[webhook.behind, webhook.unfinished, webhook.abandoned].map(String),
  lastSuccessAt ?? 'none yet',
];

type WebhookState = Pick<WebhookAnswer, 'state' | 'disabledBecause' | 'failingSince' | 'replaying'>;

function stateOf({ state, disabledBecause, failingSince, replaying }: WebhookState): string {
  if (state === 'disabled') return `disabled: ${disabledBecause ?? ''}`;
  if (failingSince !== null) return `failing since ${failingSince}`;
  return replaying ? 'replaying' : 'enabled';
}
