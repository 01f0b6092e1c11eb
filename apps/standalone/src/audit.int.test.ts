import type { AuditPage } from '@laurel/schemas';
import { READ_ADMINISTRATIVE } from '@laurel/event-store';
import type { TestDatabase } from '@laurel/testing/database';
import { openServiceDatabase } from '@laurel/testing/service-database';
import { serveInProcess, type Served } from './testing/serve-in-process.ts';

const CONFIGURATION = 'version: 1\nmetrics: [{ key: lessons, name: Lessons }]\n';
const DOCUMENT = {
  version: 1,
  metrics: [
    { key: 'lessons', name: 'Lessons' },
    { key: 'words', name: 'Words' },
  ],
};

describe('GET /admin/v1/audit', () => {
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

  it('lists every administrative change and no user activity', async () => {
    await ask('POST', '/admin/v1/configurations', { document: DOCUMENT, reason: 'words, too' });
    const { id } = await ask<{ id: string }>('POST', '/admin/v1/keys', { label: 'shop', scopes: ['read'] });
    await ask('DELETE', `/admin/v1/keys/${id}?reason=it%20leaked`);
    await ask('POST', '/v1/metrics/words/event', { user: { id: 'ada', name: 'Ada' }, value: 3 });
    await ask('POST', '/admin/v1/imports', { reason: 'last year' });
    await ask('POST', '/admin/v1/imports/finish');
    const { entries, next } = await ask<AuditPage>('GET', '/admin/v1/audit');
    expect(next).toBeNull();
    expect(entries.map(({ type, by, reason }) => [type, by, reason])).toEqual([
      ['ImportClosed', 'environment', null],
      ['ImportOpened', 'environment', 'last year'],
      ['ApiKeyRevoked', 'environment', 'it leaked'],
      ['ApiKeyCreated', 'environment', null],
      ['ConfigurationPublished', 'environment', 'words, too'],
      ['ApiKeyCreated', 'start', null],
      ['ConfigurationPublished', 'start', null],
    ]);
    expect(entries[3]?.details).toEqual({
      id,
      label: 'shop',
      scopes: ['read'],
      expiresAt: null,
      requestsPerMinute: null,
    });
    expect(JSON.stringify(entries)).not.toContain('metrics');
    const [first] = (await ask<AuditPage>('GET', '/admin/v1/audit?limit=1')).entries;
    expect(first).toEqual(entries[0]);
  });

  it('lists each change of a webhook without its secret and without the path of its URL', async () => {
    const before = (await ask<AuditPage>('GET', '/admin/v1/audit')).entries.length;
    const request = { url: 'https://example.com/hooks/T0PS3CRET', types: ['streak.lost'] };
    const { id, secret } = await ask<{ id: string; secret: string }>('POST', '/admin/v1/webhooks', request);
    const path = `/admin/v1/webhooks/${id}`;
    await ask('PATCH', path, { types: null, url: 'https://example.org/hooks/T0PS3CRET' });
    for (const step of ['secret', 'disable', 'disable', 'enable']) await ask('POST', `${path}/${step}`);
    await ask('DELETE', path);
    const { entries } = await ask<AuditPage>('GET', '/admin/v1/audit');
    const made = entries.slice(0, entries.length - before);
    const after = { id, origin: 'https://example.org', types: null };
    expect(made.map(({ details }) => details)).toEqual([
      { ...after, change: 'deleted' },
      { ...after, change: 'enabled' },
      { ...after, change: 'disabled' },
      { ...after, change: 'rotated' },
      { ...after, change: 'changed' },
      { id, origin: 'https://example.com', types: ['streak.lost'], change: 'created' },
    ]);
    expect(new Set(made.map(({ type, by }) => `${type} ${by}`))).toEqual(new Set(['WebhookChanged environment']));
    for (const hidden of ['T0PS3CRET', secret]) expect(JSON.stringify(entries)).not.toContain(hidden);
  });

  it('reads only the small administrative index, however many events and sweeps are stored', async () => {
    await database.sql.query(
      `insert into events (position, subject, occurred_at, recorded_at, event_id, configuration_version, schema_version, type,
         imported, account, metric, value, data)
       select 1000 + n, case when n % 2 = 0 then n end, now(), now(), gen_random_uuid(), 1, 2, case when n % 2 = 0 then 1 else 4 end,
         false, 'default', 'words', 1, case when n % 2 = 1 then '{"subjects":[]}'::jsonb end
       from generate_series(1, 20000) n`,
      [],
    );
    await database.sql.query('analyze events', []);
    const given = READ_ADMINISTRATIVE.replace('$1', "'default'").replaceAll('$2', 'null').replace('$3', '100');
    const plan = await database.sql.query<{ 'QUERY PLAN': string }>(`explain ${given}`, []);
    expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain('events_administrative');
    const [row] = await database.sql.query<{ bytes: string }>(
      "select pg_relation_size('events_administrative') as bytes",
      [],
    );
    expect(Number(row?.bytes)).toBeLessThanOrEqual(2 * 8_192);
    expect((await ask<AuditPage>('GET', '/admin/v1/audit')).entries).toHaveLength(13);
  });
});
