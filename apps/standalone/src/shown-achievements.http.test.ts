import { createClock } from '@laurel/runtime';
import { Client, type Json } from '@laurel/testing/http-suite';
import { serveOnFreshDatabase, type Served } from './testing/serve-in-process.ts';

const CONFIGURATION = `
version: 1
metrics: [{ key: books, name: Books }]
achievements:
  - { key: surprise, name: Surprise, group: reading, tier: 0, hidden: true, trigger: { type: metric, metric: books, value: 3 } }
  - { key: whisper, name: Whisper, hidden: true, trigger: { type: api } }
  - { key: reader, name: Reader, group: reading, tier: 1, trigger: { type: metric, metric: books, value: 2 } }
  - { key: plain, name: Plain, trigger: { type: metric, metric: books, value: 1 } }
  - { key: asked, name: Asked, trigger: { type: api } }
outgoing: { events: [achievement.completed] }
`;
const NOW = Date.parse('2026-03-02T20:00:00Z');

let served: Served;
const client = new Client(() => served);

beforeAll(async () => {
  served = await serveOnFreshDatabase(CONFIGURATION, createClock({ type: 'frozen', at: NOW }));
});
afterAll(() => served?.close());

const keysOf = (achievements: Json): readonly string[] => achievements.map(({ key }: Json) => key);
const listOf = async (id: string, query = '') => keysOf(await client.read(`/v1/users/${id}/achievements${query}`));
const ofMetric = async (id: string) => keysOf((await client.read(`/v1/users/${id}/metrics/books`)).achievements);
const shownIn = ({ group, tier, hidden }: Json) => ({ group, tier, hidden });

describe('a hidden achievement', () => {
  it('is in no list before the user has completed it', async () => {
    await client.record('books', 'ada', 2);
    expect(keysOf(await client.read('/v1/achievements'))).toEqual(['reader', 'plain', 'asked']);
    expect(await listOf('ada')).toEqual(['reader', 'plain']);
    expect(await listOf('ada', '?includeIncomplete=true')).toEqual(['reader', 'plain', 'asked']);
    expect(await ofMetric('ada')).toEqual(['reader', 'plain']);
  });

  it('is in the answer to the event that completes it, in its outcome, and in lists of that user from then on', async () => {
    const { achievements } = await client.record('books', 'bob', 3);
    expect(keysOf(achievements)).toEqual(['surprise', 'reader', 'plain']);
    expect(await listOf('bob')).toEqual(['surprise', 'reader', 'plain']);
    expect(await listOf('bob', '?includeIncomplete=true')).toEqual(['surprise', 'reader', 'plain', 'asked']);
    expect(await ofMetric('bob')).toEqual(['surprise', 'reader', 'plain']);
    expect(keysOf(await client.read('/v1/achievements'))).not.toContain('surprise');
    expect(await listOf('ada', '?includeIncomplete=true')).not.toContain('surprise');
    await served.service.outcomeReader.catchUp();
    const { text } = await client.send('GET', '/admin/v1/outcomes');
    expect(text).toMatch(/"key":"surprise",.*"group":"reading","tier":0,"hidden":true/);
  });

  it('can be completed by call and by hand, and is hidden again once it is taken back', async () => {
    const body = { user: { id: 'eve' } };
    const { status, json } = await client.send('POST', '/v1/achievements/whisper/complete', { body });
    expect([status, json.achievement.hidden]).toEqual([201, true]);
    expect(await listOf('eve')).toEqual(['whisper']);
    const grant = (kind: string, achievement: string) =>
      client.send('POST', `/admin/v1/users/eve/grants/${kind}`, { body: { achievement, reason: 'a test' } });
    expect(keysOf((await grant('achievement', 'surprise')).json.achievements)).toEqual(['surprise']);
    expect(await listOf('eve')).toEqual(['surprise', 'whisper']);
    await grant('revocation', 'surprise');
    expect(await listOf('eve', '?includeIncomplete=true')).toEqual(['whisper', 'reader', 'plain', 'asked']);
  });

  it('is explained to those who answer for the user', async () => {
    const why = await client.read('/admin/v1/users/ada/explain/achievements/surprise');
    expect(why).toMatchObject({ status: 'open', have: 2, need: 3, missing: 1 });
  });

  it('is not in the public description of the service', async () => {
    const { text } = await client.send('GET', '/openapi.json', { key: null });
    expect(text).toContain('"asked"');
    expect(text).toContain('"reader"');
    expect(text).not.toMatch(/"(surprise|whisper)"/);
  });
});

describe('group, tier and hidden', () => {
  it('are in answers only if they are configured', async () => {
    const { achievements } = await client.record('books', 'zoe', 3);
    expect(achievements.map(shownIn)).toEqual([
      { group: 'reading', tier: 0, hidden: true },
      { group: 'reading', tier: 1 },
      {},
    ]);
    const lists = [
      await client.read('/v1/users/zoe/achievements'),
      (await client.read('/v1/users/zoe/metrics'))[0].achievements,
    ];
    for (const list of lists) expect(list.map(shownIn)).toEqual(achievements.map(shownIn));
    expect((await client.read('/v1/achievements')).map(shownIn)).toEqual([{ group: 'reading', tier: 1 }, {}, {}]);
    expect(Object.keys(achievements[2])).not.toEqual(expect.arrayContaining(['group', 'tier', 'hidden']));
  });

  it('change at once with a publication, and nobody gains or loses anything', async () => {
    const before = await client.read('/v1/users/bob/achievements');
    const text = CONFIGURATION.replace(' hidden: true,', '').replace('tier: 1', 'tier: 7');
    const plan = await client.send('POST', '/admin/v1/configurations/plan', { body: { text } });
    expect(plan.json.changes.map(({ path, effect }: Json) => [path, effect])).toEqual([
      ['achievements.surprise.hidden', 'From publication, lists show it to everyone. It still completes as before.'],
      ['achievements.reader.tier', 'From publication, answers show the new value; nothing else changes.'],
    ]);
    expect((await client.send('POST', '/admin/v1/configurations', { body: { text } })).status).toBe(201);
    expect(await listOf('ada', '?includeIncomplete=true')).toEqual(['surprise', 'reader', 'plain', 'asked']);
    const completed = (list: Json) => list.map(({ key, achievedAt }: Json) => [key, achievedAt]);
    const after = await client.read('/v1/users/bob/achievements');
    expect(completed(after)).toEqual(completed(before));
    expect(after.map(({ tier }: Json) => tier)).toEqual([0, 7, undefined]);
  });
});
