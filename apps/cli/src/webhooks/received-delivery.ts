import type { IncomingHttpHeaders } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { CommandError } from '../command-error.ts';
import { plainText } from '../plain-text.ts';

/** A delivery that arrived at `webhooks listen`. */
export interface ReceivedDelivery {
  /** The header `webhook-id`; null if it is missing. */
  readonly id: string | null;
  readonly replay: boolean;
  /** Why the signature is invalid; null if it is valid. */
  readonly wrongBecause: string | null;
  /** The parsed body; a text if it is not JSON. */
  readonly body: unknown;
}

/** @throws CommandError if it is not a secret of Standard Webhooks */
export function webhookOf(secret: string): Webhook {
  try {
    return new Webhook(secret);
  } catch {
    throw new CommandError(2, '--secret must be the secret of a webhook, whsec_ and all');
  }
}

export function receivedDelivery(webhook: Webhook, headers: IncomingHttpHeaders, text: string): ReceivedDelivery {
  const one = (name: string): string | null => [headers[name]].flat()[0] ?? null;
  return {
    id: one('webhook-id'),
    replay: one('webhook-replay') === 'true',
    wrongBecause: faultOf(webhook, headers, text),
    body: parsed(text),
  };
}

/** A delivery in one line, safe for a terminal. */
export function deliveryLine({ id, replay, wrongBecause, body }: ReceivedDelivery): string {
  const { type, sequence, user } = fieldsOf(body);
  return [
    wrongBecause === null ? 'signature right' : `signature WRONG (${plainText(wrongBecause)})`,
    typeof type === 'string' ? plainText(type) : 'no outcome',
    ...(typeof sequence === 'number' ? [`sequence ${sequence}`] : []),
    ...(typeof fieldsOf(user)['id'] === 'string' ? [`user ${plainText(JSON.stringify(fieldsOf(user)['id']))}`] : []),
    ...(id === null ? [] : [`id ${plainText(id)}`]),
    ...(replay ? ['replay'] : []),
  ].join('  ');
}

function faultOf(webhook: Webhook, headers: IncomingHttpHeaders, text: string): string | null {
  const single = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  try {
    webhook.verify(text, Object.fromEntries(single));
    return null;
  } catch (error) {
    return error instanceof SyntaxError ? 'the body is no JSON' : (error as Error).message;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
