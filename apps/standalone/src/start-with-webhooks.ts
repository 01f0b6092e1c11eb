import { madeTypes } from '@laurel/kernel';
import type { Clock, FileSystemSpace } from '@laurel/ports';
import type { ConnectionOptions } from '@laurel/database';
import { Webhooks, type WebhooksDependencies } from '@laurel/webhooks';
import { startService, type Service, type ServiceEvents } from './start-service.ts';

/** The settings of webhooks that the service itself does not provide. */
interface WebhookSettings extends Pick<
  WebhooksDependencies,
  'account' | 'box' | 'allow' | 'retryScale' | 'resolve' | 'onFailure' | 'onDisabled'
> {
  /** Called when answers about an erased user could not be deleted; this is retried. */
  readonly onForgetFailure: (error: unknown) => void;
}

export interface ServiceWithWebhooks {
  readonly service: Service;
  readonly webhooks: Webhooks;
}

export interface ServiceSettings {
  readonly connection: ConnectionOptions;
  readonly clock: Clock;
  readonly events: Omit<ServiceEvents, 'oldestNeeded' | 'onErased'>;
  readonly webhooks: WebhookSettings;
  /** The space on the database's disk; null if this process cannot see it. */
  readonly space: (() => Promise<FileSystemSpace>) | null;
}

/**
 * A service and its webhooks. Nothing is sent before `webhooks.start`. Keeps the outcomes that a webhook still needs,
 * deletes data of erased users from webhooks, and records changes of webhooks.
 * @throws the errors of {@link startService}; StoreUnavailableError. Nothing is left open then.
 */
export async function startWithWebhooks(settings: ServiceSettings): Promise<ServiceWithWebhooks> {
  const { connection, clock, space } = settings;
  const { onForgetFailure, ...delivery } = settings.webhooks;
  let webhooks: Webhooks | null = null;
  const events: ServiceEvents = {
    ...settings.events,
    // Until the webhooks are read, any outcome may still be needed.
    oldestNeeded: () => webhooks?.oldestNeeded() ?? Promise.resolve(1),
    onErased: (userKey) => void webhooks?.forgetUser(userKey).catch(onForgetFailure),
  };
  const service = await startService(connection, clock, events, space);
  const { engine, dataSource, bounded, outcomes, outcomeReader } = service;
  try {
    webhooks = await Webhooks.open({
      ...delivery,
      dataSource,
      listing: bounded,
      outcomes,
      clock,
      caughtUp: () => outcomeReader.caughtUp(),
      madeTypes: () => madeTypes(engine.historyOf(delivery.account).current),
      record: (account, change, at) => engine.recordAccountEvent(account, change, at),
    });
  } catch (error) {
    await service.close();
    throw error;
  }
  return { service, webhooks };
}
