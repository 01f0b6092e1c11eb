export { openSecretBox, SecretBox, SECRETS_KEY_FILE } from './secrets/secret-box.ts';
export { Webhooks } from './webhooks.ts';
export { type WebhooksDependencies } from './webhooks-dependencies.ts';
export { WEBHOOKS_ELSEWHERE } from './routes/webhooks-controller.ts';
export { deliverySettings } from './delivery-settings.ts';
export { observeWebhooks } from './observe-webhooks.ts';
export { WebhooksModule } from './webhooks-module.ts';
