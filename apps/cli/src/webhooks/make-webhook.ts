import type { NewWebhookAnswer, NewWebhookRequest } from '@laurel/schemas';
import { CommandError } from '../command-error.ts';
import { RATE_LIMITED, type ServiceConnection } from '../service/service-connection.ts';
import { mayHaveBeenDone } from '../service/service-error.ts';

/** @throws CommandError that says what to do if a webhook may have been made whose secret is lost */
export const makeWebhook = (service: ServiceConnection, body: NewWebhookRequest): Promise<NewWebhookAnswer> =>
  service
    .ask((client, settings) => client.POST('/admin/v1/webhooks', { body, ...settings }), { retryOn: RATE_LIMITED })
    .catch((error: unknown) => {
      throw mayHaveBeenDone(error) ? new CommandError(error.exitCode, `${error.message}\n${UNSEEN}`) : error;
    });

const UNSEEN =
  'A webhook may have been made whose secret nobody has seen: webhooks list shows whether there is one, and webhooks delete ID deletes it.';
