import type {
  CorrectionPreviewAnswer,
  ExplainedPointsAnswer,
  ExplainedPointsOfEventAnswer,
  UserPoints,
} from '@laurel/schemas';
import { parseDocument } from '@laurel/configuration';
import type { TestDatabase } from '@laurel/testing/database';
import { openServiceDatabase } from '@laurel/testing/service-database';
import { askOf } from './testing/ask.ts';
import { serveInProcess, type Served } from './testing/serve-in-process.ts';

const configured = (perDay: number) => `
version: 1
metrics: [{ key: lessons, name: Lessons }, { key: words, name: Words }]
points:
  - key: coins
    name: Coins
    caps: [{ per: day, points: ${perDay} }, { per: month, points: 150 }]
    triggers:
      - { type: metric, metric: lessons, threshold: 1, points: 20 }
      - { type: metric, metric: words, threshold: 1, points: 5, cap: { per: week, points: 12 } }
`;

describe('caps', () => {
  let database: TestDatabase;
  let served: Served;
  let now = Date.parse('2026-03-10T20:00:00Z');
  const ask = askOf(() => served);
  const answered = async <Answer>(path: string, body?: object): Promise<Answer> => {
    const { status, answer } = await ask<Answer>(path, body);
    expect([path, Math.floor(status / 100)]).toEqual([path, 2]);
    return answer;
  };
  const send = async (metric: string, id: string, value: number) => {
    const body = { user: { id }, value };
    return answered<{ eventId: string; points: Record<string, object> }>(`/v1/metrics/${metric}/event`, body);
  };
  const totalOf = async (id: string) => (await answered<UserPoints>(`/v1/users/${id}/points/coins`)).total;

  beforeAll(async () => {
    database = await openServiceDatabase();
    const clock = { now: () => now, elapsedMs: () => 0, after: () => () => undefined };
    served = await serveInProcess(database.connection, configured(100), clock);
  });
  afterAll(async () => {
    await served?.close();
    await database?.close();
  });

  it('cut an award to the room of the day, then to nothing, and the answer still names the system', async () => {
    expect((await send('lessons', 'ada', 3)).points['coins']).toMatchObject({ total: 60, added: 60 });
    expect((await send('lessons', 'ada', 3)).points['coins']).toMatchObject({ total: 100, added: 40 });
    expect((await send('lessons', 'ada', 3)).points['coins']).toMatchObject({ total: 100, added: 0, awards: [] });
  });

  it('are named in explanations of the user and of the event', async () => {
    const { eventId } = await send('words', 'bob', 3);
    const cut = { nominal: 15, change: 12, cutBy: 'trigger_cap' };
    const path = '/admin/v1/users/bob/explain/points/coins';
    expect((await answered<ExplainedPointsAnswer>(path)).entries).toMatchObject([cut]);
    expect((await answered<ExplainedPointsOfEventAnswer>(`${path}/events/${eventId}`)).fired).toMatchObject([cut]);
    const { entries } = await answered<ExplainedPointsAnswer>('/admin/v1/users/ada/explain/points/coins');
    expect(entries.map(({ change, cutBy }) => [change, cutBy])).toEqual([
      [0, 'system_cap'],
      [40, 'system_cap'],
      [60, null],
    ]);
  });

  it('use the room of the corrected life after a retraction', async () => {
    const { eventId } = await send('lessons', 'eve', 3);
    await send('lessons', 'eve', 3);
    const corrections = [{ eventId, retract: true }];
    const preview = await answered<CorrectionPreviewAnswer>('/admin/v1/corrections/previews', { corrections });
    expect(preview.users[0]?.points).toMatchObject([{ before: { total: 100 }, after: { total: 60 } }]);
    await answered('/admin/v1/corrections', { corrections, preview: preview.id, reason: 'by mistake' });
    expect(await totalOf('eve')).toBe(60);
    expect((await send('lessons', 'eve', 3)).points['coins']).toMatchObject({ total: 100, added: 40 });
  });

  it('do not cut what an import brings for a day that is over, unless the month is used up', async () => {
    const timestamp = '2026-03-09T12:00:00Z';
    const imported = { metric: 'lessons', user: { id: 'ada' }, value: 5, timestamp };
    await answered('/admin/v1/metrics/events', [imported]);
    await answered('/admin/v1/imports/finish', {});
    expect(await totalOf('ada')).toBe(150);
  });

  it('hold what the day has given against a lowered cap, and leave room on the next day', async () => {
    await send('lessons', 'joe', 3);
    const { document } = parseDocument(configured(50), 'laurel.yaml');
    await answered('/admin/v1/configurations', { document });
    expect((await send('lessons', 'joe', 3)).points['coins']).toMatchObject({ total: 60, added: 0 });
    now += 24 * 3_600_000;
    expect((await send('lessons', 'joe', 3)).points['coins']).toMatchObject({ total: 110, added: 50 });
  });
});
