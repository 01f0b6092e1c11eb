import type { Instant } from '@laurel/calendar';
import { StoreUnavailableError, type WebhookChanged } from '@laurel/kernel';
import { TOPICS } from '@laurel/ports';
import type { CallHandler, InternalClients, OwnerDirectory } from '@laurel/processes';
import type { GatewayIntake } from './gateway-intake.ts';

/** The call that makes the leading ingestion gateway record a change of a webhook endpoint. */
export const RECORD_WEBHOOK_CHANGE = 'webhooks.record';

const LIMIT_MS = 5_000;

interface RecordRequest {
  readonly account: string;
  readonly change: WebhookChanged;
  readonly at: Instant;
}

/** The handler in the ingestion gateway. */
export const recordsWebhookChanges =
  (intake: Pick<GatewayIntake, 'recordWebhookChange'>): CallHandler =>
  async (payload) => {
    const { account, change, at } = payload as RecordRequest;
    if (change.type !== 'WebhookChanged') throw new Error(`a ${String(change.type)} is no change of a webhook`);
    await intake.recordWebhookChange(account, change, at);
    return null;
  };

/**
 * The caller in the outgoing service, which does not write the log. It does not retry: a call whose answer is lost may have been carried out.
 * @throws StoreUnavailableError if the change is not or may not be recorded
 */
export const recordByGateway =
  (owners: Pick<OwnerDirectory, 'ownerOf' | 'renew'>, clients: Pick<InternalClients, 'call'>) =>
  async (account: string, change: WebhookChanged, at: Instant): Promise<void> => {
    const request: RecordRequest = { account, change, at };
    try {
      await owners.renew(TOPICS.log);
      const address = await owners.ownerOf(TOPICS.log, 0);
      if (address === null) throw new Error('no ingestion gateway has published the log yet');
      await clients.call(address, RECORD_WEBHOOK_CHANGE, request, LIMIT_MS);
    } catch (cause) {
      throw new StoreUnavailableError('no ingestion gateway could record the change of the webhook', { cause });
    }
  };
