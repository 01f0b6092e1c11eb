import type { FastifyReply, FastifyRequest } from 'fastify';

const CLOUD_EVENTS = 'application/cloudevents-batch+json';

/** Whether the caller asks for CloudEvents 1.0 in JSON batch format; otherwise a line of JSON each is wanted. */
export const takesCloudEvents = ({ headers }: FastifyRequest): boolean =>
  headers.accept?.includes(CLOUD_EVENTS) ?? false;

/** Answers with a page. @param items as JSON, in the form that the caller asks for @param head the cursor behind the newest item */
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
