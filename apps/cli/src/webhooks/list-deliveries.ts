import type { DeliveryState, WebhookDeliveryAnswer } from '@laurel/schemas';
import type { CommandContext } from '../command-context.ts';
import { connectService } from '../service/service-connection.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { print, printLines } from '../terminal/print.ts';
import { table } from '../terminal/table.ts';
import { pages } from '../users/pages.ts';
import { noSuchWebhook } from './no-such-webhook.ts';
import type { OneOptions } from './one-webhook.ts';

export interface DeliveriesOptions extends OneOptions {
  readonly state?: DeliveryState;
  readonly limit: number;
}

export async function listDeliveries(
  id: string,
  { state, limit, ...options }: DeliveriesOptions,
  context: CommandContext,
): Promise<void> {
  const service = await connectService(options, context);
  const rows: string[][] = [];
  const found = pages(limit, async (page) => {
    const params = { path: { id }, query: { ...page, ...(state !== undefined && { state }) } };
    const { deliveries, next } = await service
      .ask((client, settings) => client.GET('/admin/v1/webhooks/{id}/deliveries', { params, ...settings }))
      .catch(noSuchWebhook(id));
    return { rows: deliveries, next };
  });
  for await (const deliveries of found) {
    if (options.json) await print(context.stdout, deliveries.map(jsonLine).join(''));
    else rows.push(...deliveries.map(rowOf));
  }
  if (!options.json) await printLines(context.stdout, rows.length === 0 ? ['there are none'] : table(HEADER, rows));
}

const HEADER = ['id', 'sequence', 'type', 'state', 'attempts', 'next attempt', 'finished', 'status', 'ms', 'failure'];

const rowOf = ({ id, sequence, type, state, replay, attempts, ...delivery }: WebhookDeliveryAnswer): string[] => [
  ...[id, String(sequence), type, replay ? `${state} (replay)` : state, String(attempts)],
  ...[delivery.nextAttemptAt, delivery.finishedAt, delivery.status, delivery.tookMs, delivery.error].map((value) =>
    value === null ? '' : String(value),
  ),
];
