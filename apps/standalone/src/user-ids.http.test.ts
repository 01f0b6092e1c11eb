import { ACCOUNT } from '@laurel/kernel';
import type { BatchAnswer, ServiceStatus } from '@laurel/schemas';
import { askOf } from './testing/ask.ts';
import { serveOnFreshDatabase, type Served } from './testing/serve-in-process.ts';

const CONFIGURATION = 'version: 1\nmetrics: [{ key: lessons, name: Lessons }]\n';
const INVISIBLE = '\u200b';

describe('undesirable user ids', () => {
  let served: Served;
  beforeEach(async () => {
    served = await serveOnFreshDatabase(CONFIGURATION);
  });
  afterEach(async () => {
    await served.close();
  });
  const ask = askOf(() => served);
  const event = (id: string) => ask('/v1/metrics/lessons/event', { user: { id }, value: 1 });

  it('remain valid for an existing user whose id has no visible character', async () => {
    const { directory, engine } = served.service;
    expect(await event(INVISIBLE)).toMatchObject({ status: 422 });
    // As an earlier release did; the refusal before must not have made such a user.
    const subject = await directory.assign(ACCOUNT, INVISIBLE);
    expect(await event(INVISIBLE)).toMatchObject({ status: 422 });
    await engine.submit([{ type: 'IdentifyUser', account: ACCOUNT, subject, user: {} }]);

    expect(await event(INVISIBLE)).toMatchObject({ status: 201, answer: { total: 1 } });
    const items = [INVISIBLE, '\u2060', 'ada'].map((id) => ({ metric: 'lessons', user: { id }, value: 1 }));
    const { answer } = await ask<BatchAnswer>('/admin/v1/metrics/events', { events: items });
    expect(answer.results.map(({ status }) => status)).toEqual([201, 422, 201]);
    expect((await ask(`/v1/users/${encodeURIComponent(INVISIBLE)}`)).status).toBe(200);
  });

  it('are counted in the status when they stand for a missing value', async () => {
    const count = async () => (await ask<ServiceStatus>('/admin/v1/status')).answer.placeholderUsers;
    for (const id of ['Undefined', 'nullable']) expect((await event(id)).status).toBe(201);
    expect(await count()).toBe(0);
    for (const id of ['undefined', 'null', 'NaN', '[object Object]', '00000000-0000-0000-0000-000000000000', 'null'])
      expect((await event(id)).status).toBe(201);
    expect(await count()).toBe(5);
  });
});
