import type { DomainEvent, RecordedEvent } from '@laurel/kernel';
import type { AuditPage, Problem } from '@laurel/schemas';
import { createHttpApplication, createLogger, generateApiKey, Health, type HttpApplication } from '@laurel/runtime';
import { ManualClock } from '@laurel/testing/clock';
import { AdministrationModule } from '../administration-module.ts';
import type { AdministrationPorts, Audit } from '../ports.ts';

const KEY = generateApiKey();
const AT = Date.parse('2026-03-02T20:00:00Z');

const recordAt = (position: number, fact: DomainEvent): RecordedEvent => ({
  position,
  eventId: `00000000-0000-7000-8000-${String(position).padStart(12, '0')}`,
  account: 'default',
  configurationVersion: 1,
  occurredAt: AT - position,
  recordedAt: AT + position,
  fact,
});

const RECORDS = [
  recordAt(1, { type: 'ConfigurationPublished', version: 1, document: { secret: 'plan' }, by: 'start' }),
  recordAt(4, { type: 'ImportOpened', by: 'local', unboundedAwards: true }),
  recordAt(9, { type: 'ImportClosed', cause: 'idle', by: 'process' }),
  recordAt(12, { type: 'ApiKeyRevoked', id: 'a-key', by: 'local', reason: 'it leaked' }),
  recordAt(13, { type: 'ImportOpened' }),
];

/** As the log does: newest first. */
const audit: Audit = {
  log: {
    readAdministrative: (_account, before, limit) =>
      Promise.resolve(
        RECORDS.filter(({ position }) => position < (before ?? Infinity))
          .toReversed()
          .slice(0, limit),
      ),
  },
  directory: { idsOf: () => Promise.resolve(new Map()) },
};

describe('GET /admin/v1/audit', () => {
  let http: HttpApplication;
  const open = async (ports: Pick<AdministrationPorts, 'audit'>, scope: 'admin' | 'read' = 'admin') => {
    const clock = new ManualClock();
    http = await createHttpApplication({
      modules: [AdministrationModule.register(ports as AdministrationPorts)],
      keys: { find: () => ({ account: 'default', by: 'the-key', scopes: new Set([scope]) }) },
      health: new Health(clock),
      logger: createLogger('silent'),
      clock,
    });
  };
  afterEach(() => http.close());

  async function ask<Answer>(query = ''): Promise<{ status: number; answer: Answer }> {
    const response = await http.fastify.inject({ url: `/admin/v1/audit${query}`, headers: { 'x-api-key': KEY } });
    return { status: response.statusCode, answer: response.json() };
  }

  it('shows changes with author and reason, newest first, without the published documents', async () => {
    await open({ audit });
    const { status, answer } = await ask<AuditPage>();
    expect(status).toBe(200);
    expect(answer.next).toBeNull();
    const nobody = { userId: null, reason: null };
    expect(answer.entries).toEqual([
      {
        ...nobody,
        id: RECORDS[4]?.eventId,
        type: 'ImportOpened',
        at: '2026-03-02T20:00:00.013Z',
        by: null,
        details: {},
      },
      expect.objectContaining({ type: 'ApiKeyRevoked', by: 'local', reason: 'it leaked', details: { id: 'a-key' } }),
      expect.objectContaining({ type: 'ImportClosed', by: 'process', details: { cause: 'idle' } }),
      expect.objectContaining({ type: 'ImportOpened', by: 'local', details: { unboundedAwards: true } }),
      expect.objectContaining({ type: 'ConfigurationPublished', by: 'start', details: { version: 1 } }),
    ]);
  });

  it.each([1, 2, 3, 4, 5, 6])('shows each change once in pages of %d', async (limit) => {
    await open({ audit });
    const ids: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { answer }: { answer: AuditPage } = await ask(`?limit=${limit}${cursor && `&cursor=${cursor}`}`);
      expect(answer.entries.length).toBeLessThanOrEqual(limit);
      ids.push(...answer.entries.map(({ id }) => id));
      cursor = answer.next;
    }
    expect(ids).toEqual(RECORDS.map(({ eventId }) => eventId).toReversed());
  });

  it.each([
    ['?limit=0', ['limit']],
    ['?limit=101', ['limit']],
    ['?limit=ten&cursor=x', ['limit', 'cursor']],
    ['?cursor=', ['cursor']],
    ['?cursor=MTI', ['cursor']],
    ['?limit=1&limit=2', ['limit']],
    ['?cursor=a&cursor=b', ['cursor']],
  ])('refuses %s and names the invalid parameters', async (query, paths) => {
    await open({ audit });
    const { status, answer } = await ask<Problem>(query);
    expect([status, answer.errors?.map(({ path }) => path)]).toEqual([422, paths]);
  });

  it('requires the scope admin', async () => {
    await open({ audit }, 'read');
    expect((await ask()).status).toBe(403);
  });
});
