import type { DeliveryState, WebhookDeliveryAnswer } from '@laurel/schemas';
import type { CommandContext } from '../command-context.ts';
import { connectService } from '../service/service-connection.ts';
import { printPages, type ListOptions } from '../service/print-pages.ts';
import { noSuchWebhook } from './one-webhook.ts';

export interface DeliveriesOptions extends ListOptions {
  readonly state?: DeliveryState;
}

export async function listDeliveries(id: string, options: DeliveriesOptions, context: CommandContext): Promise<void> {
  const { state } = options;
  const service = await connectService(options, context);
  await printPages(options, context, {
    header: HEADER,
    rowOf,
    ask: async (page) => {
      const params = { path: { id }, query: { ...page, ...(state !== undefined && { state }) } };
      const { deliveries, next } = await service
        .ask((client, settings) => client.GET('/admin/v1/webhooks/{id}/deliveries', { params, ...settings }))
        .catch(noSuchWebhook(id));
      return { rows: deliveries, next };
    },
  });
}

const HEADER = ['id', 'sequence', 'type', 'state', 'attempts', 'next attempt', 'finished', 'status', 'ms', 'failure'];

const rowOf = ({ id, sequence, type, state, replay, attempts, ...delivery }: WebhookDeliveryAnswer): string[] => [
  ...[id, String(sequence), type, replay ? `${state} (replay)` : state, String(attempts)],
  ...[delivery.nextAttemptAt, delivery.finishedAt, delivery.status, delivery.tookMs, delivery.error].map((value) =>
    value === null ? '' : String(value),
  ),
];
