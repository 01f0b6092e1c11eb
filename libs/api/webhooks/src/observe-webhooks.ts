import type { Instant } from '@laurel/calendar';
import type { Clock } from '@laurel/ports';
import type { WebhookStatus } from '@laurel/schemas';
import type { Health, Metrics } from '@laurel/runtime';
import type { Webhooks } from './webhooks.ts';

/** An enabled endpoint is behind if a delivery has waited this long for a successful attempt. */
const BEHIND_MS = 5 * 60_000;

type Observed = Pick<Webhooks, 'attempts' | 'disabled' | 'inProgress' | 'latest'>;

export interface Observers {
  readonly metrics: Metrics;
  readonly health: Pick<Health, 'note'>;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Exposes metrics of deliveries, also for each endpoint (at most 50), and shows problems in `/readyz`.
 * @param webhooksOf returns null if this process does not send at present
 */
export function observeWebhooks({ metrics, health, clock }: Observers, webhooksOf: () => Observed | null): void {
  const now = () => clock.now();
  health.note('webhooks', () => {
    const webhooks = webhooksOf();
    return webhooks && webhooksNote(webhooks, now());
  });
  const sum = (name: string, help: string, read: (webhooks: Observed) => number): void => {
    metrics.observe(name, help, () => {
      const webhooks = webhooksOf();
      return webhooks === null ? 0 : read(webhooks);
    });
  };
  sum('laurel_webhooks_disabled', 'Webhooks that nothing is sent to.', ({ disabled }) => disabled.length);
  sum('laurel_webhook_requests', 'Requests to webhooks in progress.', ({ inProgress }) => inProgress);
  sum('laurel_webhook_successes', 'Deliveries that arrived since the start.', ({ attempts }) => attempts.delivered);
  sum('laurel_webhook_failures', 'Attempts that failed since the start.', ({ attempts }) => attempts.failed);
  const each = (name: string, help: string, read: (webhook: WebhookStatus) => number): void =>
    metrics.observeEach({ name, help }, ['webhook'], () =>
      (webhooksOf()?.latest ?? []).map((webhook) => ({ labels: { webhook: webhook.id }, value: read(webhook) })),
    );
  each('laurel_webhook_enabled', '1: it is sent to; 0: it is disabled.', ({ state }) => Number(state === 'enabled'));
  each('laurel_webhook_behind', 'Outcomes that a webhook has still to be asked about.', ({ behind }) => behind);
  each('laurel_webhook_unfinished', 'Its unfinished deliveries, up to 1,000.', ({ unfinished }) => unfinished);
  each('laurel_webhook_held_back', 'Those that wait for more to be sent with them.', ({ heldBack }) => heldBack);
  each(
    'laurel_webhook_abandoned',
    'Its abandoned deliveries that are kept, up to 1,000.',
    ({ abandoned }) => abandoned,
  );
  each(
    'laurel_webhook_lag_seconds',
    'Age of the outcome that has waited longest for an attempt to succeed; 0: none waits.',
    ({ oldestAt }) => lagMs(oldestAt, now()) / 1_000,
  );
  each(
    'laurel_webhook_last_success_timestamp_seconds',
    'When something arrived last, to a minute; 0: nothing did yet.',
    ({ lastSuccessAt }) => (lastSuccessAt === null ? 0 : Date.parse(lastSuccessAt) / 1_000),
  );
}

/** A note for `/readyz`: numbers without addresses, because everybody may read it; null if there is no problem. */
export function webhooksNote({ disabled, latest }: Pick<Webhooks, 'disabled' | 'latest'>, now: Instant): string | null {
  const late = latest.filter(({ state, oldestAt }) => state === 'enabled' && lagMs(oldestAt, now) > BEHIND_MS);
  const since = late.map(({ oldestAt }) => oldestAt ?? '').sort()[0];
  const parts = [
    ...(disabled.length > 0 ? [`${counted(disabled.length)} disabled`] : []),
    ...(late.length > 0 ? [`${counted(late.length)} behind since ${since}`] : []),
  ];
  return parts.length === 0 ? null : `${parts.join(', ')}: laurel webhooks list`;
}

const counted = (count: number): string => (count === 1 ? 'a webhook is' : `${count} webhooks are`);

const lagMs = (oldestAt: string | null, now: Instant): number =>
  oldestAt === null ? 0 : Math.max(0, now - Date.parse(oldestAt));
