import { CommandError } from '../command-error.ts';
import { plainText } from '../plain-text.ts';
import { RefusedError } from '../service/service-error.ts';

/** For `catch` of a request about a webhook. @throws CommandError with exit code 2 if there is no such webhook, otherwise what it is given */
export const noSuchWebhook =
  (id: string) =>
  (error: unknown): never => {
    const isUnknown = error instanceof RefusedError && error.code === 'unknown_webhook';
    throw isUnknown ? new CommandError(2, `there is no webhook ${plainText(id)}: webhooks list shows them`) : error;
  };
