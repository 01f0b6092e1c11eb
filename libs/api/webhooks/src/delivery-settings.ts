import type { Clock } from '@laurel/ports';
import { lastingFailure, type Logger } from '@laurel/runtime';
import type { WebhooksDependencies } from './webhooks-dependencies.ts';

/** The variables for webhooks. */
export interface WebhookEnvironment {
  readonly webhookAllow: readonly string[];
  readonly webhookRetryPermille: number;
}

/** Settings of deliveries from the environment. Failures go to the log. */
export const deliverySettings = (
  { webhookAllow: allow, webhookRetryPermille }: WebhookEnvironment,
  logger: Logger,
  clock: Pick<Clock, 'elapsedMs'>,
): Pick<WebhooksDependencies, 'allow' | 'retryScale' | 'onFailure' | 'onDisabled'> => ({
  allow,
  retryScale: webhookRetryPermille / 1_000,
  onFailure: lastingFailure(logger, clock, 'deliveries of webhooks could not be sent or recorded; retrying'),
  // The path of a URL may be a secret.
  onDisabled: ({ id, url, disabledBecause }) =>
    logger.error(
      { webhook: id, origin: new URL(url).origin, disabledBecause },
      'a webhook was disabled; its outcomes wait until it is enabled again',
    ),
});
