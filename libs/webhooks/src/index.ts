export { DestinationRefusedError, Destinations, type DestinationFault } from './destinations/destinations.ts';
export { checkedConnector, type Resolve } from './destinations/checked-connector.ts';
export { MOST_ATTEMPTS, nextAttemptAt, retryAfterOf, type FailedAttempt } from './schedule/retry-schedule.ts';
export { openSecretBox, SecretBox } from './secrets/secret-box.ts';
export { Webhooks, type AttemptCounts, type WebhooksParts } from './webhooks.ts';
export type { Endpoint, RecordWebhookChange } from './endpoints/endpoints.ts';
export { WEBHOOKS_ELSEWHERE } from './routes/webhooks-controller.ts';
export { observeWebhooks } from './observe-webhooks.ts';
export { WebhooksModule } from './webhooks-module.ts';
