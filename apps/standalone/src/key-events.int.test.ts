import { ACCOUNT } from '@laurel/kernel';
import { typeNumberOf } from '@laurel/event-store';
import { hashApiKey } from '@laurel/runtime';
import type { TestDatabase } from '@laurel/testing/database';
import { openServiceDatabase } from '@laurel/testing/service-database';
import { serveInProcess, type Served } from './testing/serve-in-process.ts';

const CONFIGURATION = 'version: 1\nmetrics: [{ key: lessons, name: Lessons }]\n';
const KEYS = '/admin/v1/keys';

describe('the creation and revocation of a key', () => {
  let database: TestDatabase;
  let served: Served;
  beforeAll(async () => {
    database = await openServiceDatabase();
    served = await serveInProcess(database.connection, CONFIGURATION);
  });
  afterAll(async () => {
    await served.close();
    await database.close();
  });

  async function ask<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const headers = { 'x-api-key': served.apiKey, ...(body && { 'content-type': 'application/json' }) };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    return (await (await fetch(`${served.baseUrl}${path}`, init)).json()) as Answer;
  }

  const rows = () =>
    database.sql.query<{ data: object; text: string }>(
      'select data, e::text as text from events e where type = any($1) order by position',
      [[typeNumberOf('ApiKeyCreated'), typeNumberOf('ApiKeyRevoked')]],
    );

  it('stay in the log with author and reason, and without the key or its hash', async () => {
    const request = { label: 'shop', scopes: ['ingest'], reason: 'a new shop' };
    const { id, key } = await ask<{ id: string; key: string }>('POST', KEYS, request);
    await ask('DELETE', `${KEYS}/${id}?reason=it%20leaked`);
    await served.close();
    served = await serveInProcess(database.connection, CONFIGURATION);
    const events = await rows();
    expect(events.map(({ data }) => data)).toEqual([
      expect.objectContaining({ id: 'environment', by: 'start' }),
      { id, by: 'environment', ...request, expiresAt: null, requestsPerMinute: null },
      { id, by: 'environment', reason: 'it leaked' },
    ]);
    const written = events.map(({ text }) => text).join('\n');
    for (const secret of [key, served.apiKey])
      for (const text of [secret, hashApiKey(secret)]) expect(written).not.toContain(text);
    expect(await ask('GET', KEYS)).toMatchObject([{ id, createdBy: 'environment', revokedBy: 'environment' }]);
    expect(served.service.engine.holdsEvents(ACCOUNT)).toBe(false);
  });

  it('are recorded by the next start when the process ended too early', async () => {
    const { id } = await served.keys.ring.create(ACCOUNT, { label: 'x', scopes: ['read'] }, { by: 'local' });
    const before = await rows();
    await served.close();
    // As if it had ended between the two writes.
    await database.sql.query(
      `update api_keys set creation_recorded = false, revoked_at = now(), revoked_by = 'local' where id = $1`,
      [id],
    );
    served = await serveInProcess(database.connection, CONFIGURATION);
    const after = await rows();
    expect(after.slice(before.length).map(({ data }) => data)).toEqual([{ id, by: 'local' }]);
  });
});
