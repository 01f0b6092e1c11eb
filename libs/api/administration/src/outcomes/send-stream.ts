import type { FastifyReply, FastifyRequest } from 'fastify';

const CLOUD_EVENTS = 'application/cloudevents-batch+json';

/** Whether the caller accepts CloudEvents 1.0 in JSON batch format; the alternative is one line of JSON per item. */
export const takesCloudEvents = ({ headers }: FastifyRequest): boolean =>
  headers.accept?.includes(CLOUD_EVENTS) ?? false;

/** Sends a page. @param items as JSON, in the requested format @param head the cursor after the newest item */
export async function sendStream(
  request: FastifyRequest,
  reply: FastifyReply,
  { items, cursor, head }: { readonly items: readonly string[]; readonly cursor: string; readonly head: string },
): Promise<void> {
  const isBatch = takesCloudEvents(request);
  const text = isBatch ? `[${items.join(',')}]` : items.map((item) => `${item}\n`).join('');
  await reply
    .header('Laurel-Cursor', cursor)
    .header('Laurel-Head', head)
    .type(isBatch ? CLOUD_EVENTS : 'application/x-ndjson')
    .send(text);
}
