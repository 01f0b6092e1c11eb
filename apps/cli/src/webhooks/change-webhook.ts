import type { WebhookChange } from '@laurel/schemas';
import type { CommandContext } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { connectService } from '../service/service-connection.ts';
import { noSuchWebhook } from './no-such-webhook.ts';
import { show, type OneOptions } from './one-webhook.ts';

export interface ChangeOptions extends OneOptions {
  readonly address?: string;
  readonly type?: string[];
  readonly allTypes?: true;
  readonly description?: string;
  readonly ordering?: 'user' | 'strict';
  /** Seconds. */
  readonly minimumInterval?: number;
  /** Absent: as it is. */
  readonly trophySignature?: boolean;
}

export async function changeWebhook(id: string, options: ChangeOptions, context: CommandContext): Promise<void> {
  const { address, type, allTypes, description, ordering, trophySignature, minimumInterval } = options;
  const body: WebhookChange = {
    ...(address !== undefined && { url: address }),
    ...(type !== undefined && { types: type }),
    ...(allTypes && { types: null }),
    ...(description !== undefined && { description }),
    ...(ordering !== undefined && { ordering }),
    ...(trophySignature !== undefined && { trophySignature }),
    ...(minimumInterval !== undefined && { minimumInterval }),
  };
  if (Object.keys(body).length === 0) throw new CommandError(2, 'say what is to be changed: --help lists the options');
  const service = await connectService(options, context);
  const changed = await service
    .ask((client, settings) => client.PATCH('/admin/v1/webhooks/{id}', { params: { path: { id } }, body, ...settings }))
    .catch(noSuchWebhook(id));
  await show(changed, 'changed', options, context);
}
