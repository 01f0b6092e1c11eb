import { describe, expect, it } from '@jest/globals';
import { type Client, type Json, WHOLE_DESCRIPTION } from './client.ts';

interface Described {
  readonly method: string;
  readonly path: string;
  readonly operation: Json;
}

/** An id that nothing has. */
const NO_ID = '00000000-0000-4000-8000-000000000000';

const RETRACTION = { corrections: [{ eventId: NO_ID, retract: true }] };
/** Bodies for operations whose path names nothing that could be missing. */
const NAMED_IN_BODY: Readonly<Record<string, Json>> = {
  previewCorrection: RETRACTION,
  correctEvents: { ...RETRACTION, preview: '0'.repeat(32), reason: 'sent twice' },
  replayWebhook: { from: 1 },
};

/** Whether the answer is a page, which is the same for every path and itself requests the data. */
const isPage = ({ responses }: Json): boolean => responses[200]?.content?.['text/html'] !== undefined;

/** The required query of an operation. */
const requiredQuery = ({ parameters = [] }: Json): string =>
  parameters
    .filter((one: Json) => one.in === 'query' && one.required)
    .map((one: Json) => `${one.name}=${NO_ID}`)
    .join('&');

/**
 * Calls every operation in a server's own description. The suite's client checks each answer against the description;
 * this makes sure that each operation is called.
 */
export function describeDescription(client: Client): void {
  describe('the description of the API', () => {
    async function operations(): Promise<Described[]> {
      const { paths } = await client.read(WHOLE_DESCRIPTION);
      return Object.entries<Json>(paths).flatMap(([template, methods]) =>
        Object.entries<Json>(methods).map(([method, operation]) => ({
          method: method.toUpperCase(),
          path: template.replace(/\{(\w+)\}/g, NO_ID),
          operation,
        })),
      );
    }
    const needsKey = ({ operation }: Described): boolean => operation.security.length > 0;

    it('is served without a key, and not again to who has it', async () => {
      const { headers, json } = await client.send('GET', '/openapi.json', { key: null });
      expect(json).toMatchObject({ openapi: expect.stringMatching(/^3\.1\./), info: { title: 'Laurel' } });
      const known = { 'if-none-match': headers.get('etag') ?? '' };
      expect(await client.send('GET', '/openapi.json', { key: null, headers: known })).toMatchObject({ status: 304 });
    });

    it('can be browsed without a key', async () => {
      const { status, headers, text } = await client.send('GET', '/docs', { key: null });
      expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      const files = [...text.matchAll(/"docs\/([^"]+)"/g)].map(([, file]) => file ?? '');
      expect(files.length).toBeGreaterThan(2);
      for (const file of files) expect((await client.send('GET', `/docs/${file}`, { key: null })).status).toBe(200);
      expect((await client.send('GET', '/docs/package.json', { key: null })).status).toBe(404);
    });

    it('says rightly which operations need a key', async () => {
      for (const { method, path, operation } of (await operations()).filter(needsKey)) {
        const { status } = await client.send(method, path, { key: null });
        expect([operation.operationId, status]).toEqual([operation.operationId, 401]);
      }
    });

    it('says rightly what is answered to a body that cannot be read', async () => {
      const plain = { text: 'text', headers: { 'content-type': 'text/plain' } };
      for (const { method, path, operation } of (await operations()).filter(({ method: one }) => one !== 'GET')) {
        const [broken, other] = [
          await client.send(method, path, { text: '{' }),
          await client.send(method, path, plain),
        ];
        expect([operation.operationId, broken.status, other.status]).toEqual([operation.operationId, 400, 415]);
      }
    });

    it('says rightly that what is not there is 404', async () => {
      for (const { method, path, operation } of await operations())
        if (operation.responses[404] !== undefined && !isPage(operation)) {
          const named = path.includes(NO_ID) ? path : `${path}?${requiredQuery(operation)}`;
          const body = NAMED_IN_BODY[operation.operationId] ?? {};
          const { status, json } = await client.send(method, named, method === 'GET' ? {} : { body });
          // Whether the operation declares the code is checked with every answer.
          const expected = json?.code === 'not_in_this_topology' ? 422 : 404;
          expect([operation.operationId, status]).toEqual([operation.operationId, expected]);
        }
    });

    it('says rightly that there is HEAD wherever there is GET', async () => {
      for (const { path, operation } of (await operations()).filter(({ method }) => method === 'GET')) {
        const { status, text } = await client.send('HEAD', path);
        expect(Object.keys(operation.responses)).toContain(String(status));
        expect(text).toBe('');
      }
    });
  });
}
