import { Controller, Inject } from '@nestjs/common';
import {
  deliveryState,
  invalidRequest,
  mistakenParameters,
  mustBeOneOf,
  newWebhookRequest,
  ProblemError,
  problemOf,
  webhookChange,
  webhookReplayRequest,
  type DeliveryState,
  type NewWebhookAnswer,
  type WebhookAnswer,
  type WebhookDeliveryAnswer,
  type WebhookDeliveryPage,
  type WebhookSecretAnswer,
  type WebhookTestAnswer,
  operations,
} from '@laurel/schemas';
import { type ApiCall, Call, type Logger, type Query, Route, validBody } from '@laurel/runtime';
import { isDeliveryId } from '../delivery/deliveries.ts';
import type { Webhooks } from '../webhooks.ts';

/** The ports of the routes of webhooks. */
export interface WebhookPorts {
  /** null if no process here delivers. @throws StoreUnavailableError if none does at present */
  readonly webhooks: (() => Webhooks) | null;
  /** Called for each change; never given a secret. */
  readonly logger: Logger;
}

/** Why a process without webhooks refuses these routes. */
export const WEBHOOKS_ELSEWHERE = problemOf(
  'not_in_this_topology',
  'No process of this installation sends webhooks: LAUREL_OUTGOING_URL is not set.',
);

/** Token under which a process provides its {@link WebhookPorts}. */
export const WEBHOOK_PORTS = Symbol('WebhookPorts');

/** Endpoints and the deliveries to them (specification, section 12). */
@Controller()
export class WebhooksController {
  readonly #ports: WebhookPorts;

  constructor(@Inject(WEBHOOK_PORTS) ports: WebhookPorts) {
    this.#ports = ports;
  }

  @Route(operations.listWebhooks)
  async list(): Promise<WebhookAnswer[]> {
    return [...(await this.#webhooks.list())];
  }

  @Route(operations.createWebhook)
  async create(@Call() call: ApiCall): Promise<NewWebhookAnswer> {
    const created = await this.#webhooks.create(validBody(newWebhookRequest, call.request), call.by);
    this.#log(call, created.id, 'webhook made');
    return created;
  }

  @Route(operations.changeWebhook)
  async change(@Call() call: ApiCall<'id'>): Promise<WebhookAnswer> {
    const { by, path, request } = call;
    return this.#logged(call, this.#webhooks.change(path.id, validBody(webhookChange, request), by), 'webhook changed');
  }

  @Route(operations.deleteWebhook)
  async delete(@Call() call: ApiCall<'id'>): Promise<WebhookAnswer> {
    return this.#logged(call, this.#webhooks.delete(call.path.id, call.by), 'webhook deleted');
  }

  @Route(operations.enableWebhook)
  async enable(@Call() call: ApiCall<'id'>): Promise<WebhookAnswer> {
    return this.#logged(call, this.#webhooks.enable(call.path.id, call.by), 'webhook enabled');
  }

  @Route(operations.disableWebhook)
  async disable(@Call() call: ApiCall<'id'>): Promise<WebhookAnswer> {
    return this.#logged(call, this.#webhooks.disable(call.path.id, call.by), 'webhook disabled');
  }

  @Route(operations.rotateWebhookSecret)
  async rotate(@Call() call: ApiCall<'id'>): Promise<WebhookSecretAnswer> {
    return this.#logged(call, this.#webhooks.rotate(call.path.id, call.by), 'webhook has a new secret');
  }

  @Route(operations.testWebhook)
  async test(@Call() { path }: ApiCall<'id'>): Promise<WebhookTestAnswer> {
    return known(await this.#webhooks.test(path.id));
  }

  @Route(operations.listWebhookDeliveries)
  async deliveries(@Call() { path, query }: ApiCall<'id'>): Promise<WebhookDeliveryPage> {
    const { state, before, limit } = readDeliveriesQuery(query);
    const found = known(await this.#webhooks.deliveries(path.id, state, before, limit));
    const shown = found.slice(0, limit);
    return { deliveries: [...shown], next: found.length > limit ? (shown.at(-1)?.id ?? null) : null };
  }

  @Route(operations.resendWebhookDelivery)
  async resend(@Call() { path }: ApiCall<'id' | 'delivery'>): Promise<WebhookDeliveryAnswer> {
    const resent = await this.#webhooks.resend(path.id, path.delivery);
    if (resent === 'unknown_delivery')
      throw new ProblemError(problemOf('unknown_delivery', 'The endpoint has no delivery with this id.'));
    return known(resent === 'unknown_webhook' ? null : resent);
  }

  @Route(operations.replayWebhook)
  async replay(@Call() call: ApiCall<'id'>): Promise<WebhookAnswer> {
    const { path, request } = call;
    const replayed = this.#webhooks.replay(path.id, validBody(webhookReplayRequest, request));
    return this.#logged(call, replayed, 'webhook is sent the past again');
  }

  get #webhooks(): Webhooks {
    const { webhooks } = this.#ports;
    if (webhooks !== null) return webhooks();
    throw new ProblemError(WEBHOOKS_ELSEWHERE);
  }

  /** @throws ProblemError 404 if there is no such webhook */
  async #logged<T>(call: ApiCall<'id'>, changed: Promise<T | null>, message: string): Promise<T> {
    const answer = known(await changed);
    this.#log(call, call.path.id, message);
    return answer;
  }

  #log({ request, by }: Pick<ApiCall, 'request' | 'by'>, webhook: string, message: string): void {
    this.#ports.logger.info({ requestId: request.id, webhook, by }, message);
  }
}

function known<T>(found: T | null): T {
  if (found === null) throw new ProblemError(problemOf('unknown_webhook', 'There is no webhook with this id.'));
  return found;
}

const MOST_OF_PAGE = 40;

function readDeliveriesQuery(query: Query) {
  const { state, cursor, limit = '20' } = query;
  const errors = mistakenParameters(['state', 'cursor', 'limit'], query);
  const states: readonly unknown[] = deliveryState.options;
  if (state !== undefined && !states.includes(state))
    errors.push({ path: 'state', message: mustBeOneOf(deliveryState.options).error({ input: state }) });
  const rows = typeof limit === 'string' && /^\d{1,3}$/.test(limit) ? Number(limit) : 0;
  if (rows < 1 || rows > MOST_OF_PAGE)
    errors.push({ path: 'limit', message: `must be an integer from 1 to ${MOST_OF_PAGE}` });
  if (cursor !== undefined && !(typeof cursor === 'string' && isDeliveryId(cursor)))
    errors.push({ path: 'cursor', message: 'must be `next` of a page of this list' });
  if (errors.length > 0) throw new ProblemError(invalidRequest(errors));
  return { state: (state ?? null) as DeliveryState | null, before: (cursor ?? null) as string | null, limit: rows };
}
