import { madeTypes } from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import type { ConnectionOptions } from '@laurel/database';
import { Webhooks, type WebhooksParts } from '@laurel/webhooks';
import { startService, type Service, type ServiceEvents } from './start-service.ts';

/** How webhooks are sent, but for what the service itself gives them. */
export interface WebhookSettings extends Omit<
  WebhooksParts,
  'dataSource' | 'listing' | 'outcomes' | 'caughtUp' | 'clock' | 'record' | 'madeTypes'
> {
  /** What is kept of answers about an erased user could not be deleted; it is tried again. */
  readonly onForgetFailure: (error: unknown) => void;
}

/**
 * A service and its webhooks, of which nothing is sent before they are started. Outcomes that a webhook still needs are kept for it, what an
 * erased user has left with webhooks is deleted, and changes of webhooks are recorded.
 * @throws what {@link startService} does; StoreUnavailableError. Nothing is left open then.
 */
export async function startWithWebhooks(
  connection: ConnectionOptions,
  clock: Clock,
  events: Omit<ServiceEvents, 'oldestNeeded' | 'onErased'>,
  { onForgetFailure, ...settings }: WebhookSettings,
  space?: Parameters<typeof startService>[3],
): Promise<{ readonly service: Service; readonly webhooks: Webhooks }> {
  let webhooks: Webhooks | null = null;
  const links: Pick<ServiceEvents, 'oldestNeeded' | 'onErased'> = {
    // Until the webhooks are read, they may need everything.
    oldestNeeded: () => webhooks?.oldestNeeded() ?? Promise.resolve(1),
    onErased: (userKey) => void webhooks?.forgetUser(userKey).catch(onForgetFailure),
  };
  const service = await startService(connection, clock, { ...events, ...links }, space);
  try {
    webhooks = await Webhooks.open({
      ...settings,
      ...{ dataSource: service.dataSource, listing: service.bounded, outcomes: service.outcomes, clock },
      caughtUp: () => service.outcomeReader.caughtUp(),
      madeTypes: () => madeTypes(service.engine.historyOf(settings.account).current),
      record: (account, change, at) => service.engine.recordWebhookChange(account, change, at),
    });
  } catch (error) {
    await service.close();
    throw error;
  }
  return { service, webhooks };
}
