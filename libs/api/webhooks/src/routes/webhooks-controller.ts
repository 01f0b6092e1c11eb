import { Controller, Inject, Param, Query, Req } from '@nestjs/common';
import {
  deliveryState,
  invalidRequest,
  mistakenParameters,
  mustBeOneOf,
  newWebhookRequest,
  ProblemError,
  problemOf,
  readRequest,
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
import { Caller, jsonBody, type Logger, Route } from '@laurel/runtime';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { isDeliveryId } from '../delivery/deliveries.ts';
import type { Webhooks } from '../webhooks.ts';

/** What the routes of webhooks need of the process. */
export interface WebhookPorts {
  /** null: no process here delivers. @throws StoreUnavailableError if none does at present */
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

type RawQuery = Readonly<Record<string, unknown>>;

/** Endpoints, and what is sent to them (specification, section 12). */
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
  async create(@Caller() by: string, @Req() request: FastifyRequest): Promise<NewWebhookAnswer> {
    const created = await this.#webhooks.create(bodyOf(newWebhookRequest, request), by);
    this.#log(request, by, created.id, 'webhook made');
    return created;
  }

  @Route(operations.changeWebhook)
  async change(@Param('id') id: string, @Caller() by: string, @Req() request: FastifyRequest): Promise<WebhookAnswer> {
    const changed = known(await this.#webhooks.change(id, bodyOf(webhookChange, request), by));
    this.#log(request, by, id, 'webhook changed');
    return changed;
  }

  @Route(operations.deleteWebhook)
  async delete(@Param('id') id: string, @Caller() by: string, @Req() request: FastifyRequest): Promise<WebhookAnswer> {
    const deleted = known(await this.#webhooks.delete(id, by));
    this.#log(request, by, id, 'webhook deleted');
    return deleted;
  }

  @Route(operations.enableWebhook)
  async enable(@Param('id') id: string, @Caller() by: string, @Req() request: FastifyRequest): Promise<WebhookAnswer> {
    const enabled = known(await this.#webhooks.enable(id, by));
    this.#log(request, by, id, 'webhook enabled');
    return enabled;
  }

  @Route(operations.disableWebhook)
  async disable(@Param('id') id: string, @Caller() by: string, @Req() request: FastifyRequest): Promise<WebhookAnswer> {
    const disabled = known(await this.#webhooks.disable(id, by));
    this.#log(request, by, id, 'webhook disabled');
    return disabled;
  }

  @Route(operations.rotateWebhookSecret)
  async rotate(
    @Param('id') id: string,
    @Caller() by: string,
    @Req() request: FastifyRequest,
  ): Promise<WebhookSecretAnswer> {
    const rotated = known(await this.#webhooks.rotate(id, by));
    this.#log(request, by, id, 'webhook has a new secret');
    return rotated;
  }

  @Route(operations.testWebhook)
  async test(@Param('id') id: string): Promise<WebhookTestAnswer> {
    return known(await this.#webhooks.test(id));
  }

  @Route(operations.listWebhookDeliveries)
  async deliveries(@Param('id') id: string, @Query() query: RawQuery): Promise<WebhookDeliveryPage> {
    const { state, before, limit } = deliveriesAsked(query);
    const found = known(await this.#webhooks.deliveries(id, state, before, limit));
    const shown = found.slice(0, limit);
    return { deliveries: [...shown], next: found.length > limit ? (shown.at(-1)?.id ?? null) : null };
  }

  @Route(operations.resendWebhookDelivery)
  async resend(@Param('id') id: string, @Param('delivery') delivery: string): Promise<WebhookDeliveryAnswer> {
    const resent = await this.#webhooks.resend(id, delivery);
    if (resent === 'unknown_delivery')
      throw new ProblemError(problemOf('unknown_delivery', 'The endpoint has no delivery with this id.'));
    return known(resent === 'unknown_webhook' ? null : resent);
  }

  @Route(operations.replayWebhook)
  async replay(@Param('id') id: string, @Caller() by: string, @Req() request: FastifyRequest): Promise<WebhookAnswer> {
    const replayed = known(await this.#webhooks.replay(id, bodyOf(webhookReplayRequest, request)));
    this.#log(request, by, id, 'webhook is sent the past again');
    return replayed;
  }

  get #webhooks(): Webhooks {
    const { webhooks } = this.#ports;
    if (webhooks !== null) return webhooks();
    throw new ProblemError(WEBHOOKS_ELSEWHERE);
  }

  #log(request: FastifyRequest, by: string, webhook: string, message: string): void {
    this.#ports.logger.info({ requestId: request.id, webhook, by }, message);
  }
}

function known<T>(found: T | null): T {
  if (found === null) throw new ProblemError(problemOf('unknown_webhook', 'There is no webhook with this id.'));
  return found;
}

function bodyOf<Schema extends z.ZodType>(schema: Schema, request: FastifyRequest): z.output<Schema> {
  const { data, errors } = readRequest(schema, jsonBody(request));
  if (data === undefined || errors.length > 0) throw new ProblemError(invalidRequest(errors));
  return data;
}

const MOST_OF_PAGE = 40;

function deliveriesAsked(query: RawQuery) {
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
