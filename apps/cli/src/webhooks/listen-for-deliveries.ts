import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NewWebhookAnswer, NewWebhookRequest } from '@laurel/schemas';
import type { CommandContext } from '../command-context.ts';
import { CommandError, InterruptedError } from '../command-error.ts';
import { plainText } from '../plain-text.ts';
import { connectService, RATE_LIMITED, type ServiceConnection } from '../service/service-connection.ts';
import { RefusedError } from '../service/service-error.ts';
import type { AnswerOptions } from '../service/service-options.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { print, printLines } from '../terminal/print.ts';
import { makeWebhook } from './create-webhook.ts';
import { deliveryLine, receivedDelivery, webhookOf, type ReceivedDelivery } from './received-delivery.ts';

export interface ListenOptions extends AnswerOptions {
  readonly port: number;
  /** If missing, the command creates a webhook and deletes it at the end. */
  readonly secret?: string;
  readonly type?: string[];
}

const HOST = '127.0.0.1';
/** Much longer than the largest outcome. */
const LONGEST_BODY = 1024 ** 2;
const MOST_CONNECTIONS = 64;
/** The time that the service waits for an answer. */
const REQUEST_LIMIT_MS = 15_000;

/** Shows deliveries until Ctrl-C. @throws InterruptedError then */
export async function listenForDeliveries(options: ListenOptions, context: CommandContext): Promise<void> {
  const receiver = new Receiver((delivery) =>
    print(context.stdout, options.json ? jsonLine(delivery) : `${deliveryLine(delivery)}\n`),
  );
  if (options.secret !== undefined) receiver.verifyBy(options.secret);
  const url = await receiver.open(options.port);
  try {
    if (options.secret === undefined) await withWebhook(url, receiver, options, context);
    else await showUntilInterrupted(url, context);
  } finally {
    await receiver.close();
  }
  throw new InterruptedError();
}

/**
 * Creates a webhook, and deletes it at the end. Ctrl-C does not interrupt these requests, so that no webhook is left
 * behind.
 */
async function withWebhook(
  url: string,
  receiver: Receiver,
  options: ListenOptions,
  context: CommandContext,
): Promise<void> {
  const service = await connectService(options, { ...context, interrupted: new AbortController().signal });
  const { id, secret } = await makeOwn(service, {
    url,
    description: 'laurel webhooks listen',
    minimumInterval: 0,
    ...(options.type !== undefined && { types: options.type }),
  });
  try {
    receiver.verifyBy(secret);
    await printLines(context.stderr, [`made the webhook ${plainText(id)}; it is deleted at the end`]);
    await showUntilInterrupted(url, context);
  } finally {
    await deleteOwn(service, id, context);
  }
}

async function makeOwn(service: ServiceConnection, body: NewWebhookRequest): Promise<NewWebhookAnswer> {
  try {
    return await makeWebhook(service, body);
  } catch (error) {
    if (!(error instanceof RefusedError) || !error.message.includes('LAUREL_WEBHOOK_ALLOW')) throw error;
    throw new CommandError(
      2,
      `the service does not send to ${body.url}: start it with LAUREL_WEBHOOK_ALLOW=${HOST} (${error.message})`,
    );
  }
}

async function deleteOwn(service: ServiceConnection, id: string, { stderr }: CommandContext): Promise<void> {
  try {
    await service.ask(
      (client, settings) => client.DELETE('/admin/v1/webhooks/{id}', { params: { path: { id } }, ...settings }),
      { retryOn: RATE_LIMITED },
    );
    await printLines(stderr, [`deleted the webhook ${plainText(id)}`]);
  } catch (error) {
    throw new CommandError(
      2,
      `${(error as Error).message}\nThe webhook ${plainText(id)} may be left: laurel webhooks delete ${plainText(id)}`,
    );
  }
}

async function showUntilInterrupted(url: string, { stderr, interrupted }: CommandContext): Promise<void> {
  await printLines(stderr, [`listening on ${url}; Ctrl-C ends it`]);
  if (!interrupted.aborted) await once(interrupted, 'abort');
}

/** Receives requests on this machine, and answers 204 to each that it could show. */
class Receiver {
  readonly #show: (delivery: ReceivedDelivery) => Promise<void>;
  readonly #server: Server;
  #webhook: ReturnType<typeof webhookOf> | null = null;

  constructor(show: (delivery: ReceivedDelivery) => Promise<void>) {
    this.#show = show;
    this.#server = createServer({ requestTimeout: REQUEST_LIMIT_MS }, (request, response) => {
      this.#take(request, response).catch(() => response.destroy());
    });
    this.#server.maxConnections = MOST_CONNECTIONS;
  }

  /** @throws CommandError if the text is not the secret of a webhook */
  verifyBy(secret: string): void {
    this.#webhook = webhookOf(secret);
  }

  /** @throws CommandError if the port cannot be used */
  async open(port: number): Promise<string> {
    try {
      this.#server.listen(port, HOST);
      await once(this.#server, 'listening');
    } catch (error) {
      const reason = (error as NodeJS.ErrnoException).code === 'EADDRINUSE' ? 'is in use' : (error as Error).message;
      throw new CommandError(2, `port ${port}: ${reason}; choose another with --port`);
    }
    return `http://${HOST}:${(this.#server.address() as AddressInfo).port}/`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') return answer(response, 405);
    const body = await bodyOf(request);
    if (body === null) return answer(response, 413);
    if (this.#webhook === null) return answer(response, 503);
    await this.#show(receivedDelivery(this.#webhook, request.headers, body));
    answer(response, 204);
  }
}

function answer(response: ServerResponse, status: number): void {
  response.writeHead(status, status === 204 ? {} : { connection: 'close' }).end();
}

/** null if it is too long. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > LONGEST_BODY) return null;
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}
