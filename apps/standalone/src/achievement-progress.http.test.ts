import { createClock } from '@laurel/runtime';
import { Client, type Json } from '@laurel/testing/http-suite';
import { serveOnFreshDatabase, type Served } from './testing/serve-in-process.ts';

const CONFIGURATION = `
version: 1
metrics: [{ key: km, name: Kilometres }, { key: runs, name: Runs }]
streak: { frequency: daily, conditions: [{ metric: runs, threshold: 1 }] }
achievements:
  - { key: far, name: Far, trigger: { type: metric, metric: km, value: 42.195 } }
  - { key: steady, name: Steady, trigger: { type: streak, length: 3 } }
  - { key: joined, name: Joined, trigger: { type: api } }
  - { key: all, name: All, trigger: { type: achievement, achievements: [far, steady, joined] } }
`;
const DAY_MS = 86_400_000;

let now = Date.parse('2026-03-02T20:00:00Z');
let served: Served;
const client = new Client(() => served);

beforeAll(async () => {
  served = await serveOnFreshDatabase(CONFIGURATION, { ...createClock({ type: 'system' }), now: () => now });
});
afterAll(() => served?.close());

async function progressOf(id: string, query = '?includeIncomplete=true') {
  const achievements: Json = await client.read(`/v1/users/${id}/achievements${query}`);
  return Object.fromEntries(
    achievements.map(({ key, progress }: Json) => [key, progress && `${progress.have} of ${progress.need}`]),
  );
}

describe('the progress of a user’s achievements', () => {
  it('counts the total of a metric exactly, also below 0', async () => {
    await client.record('km', 'ada', 10.1);
    await client.record('km', 'ada', 0.2);
    expect(await progressOf('ada')).toEqual({
      far: '10.3 of 42.195',
      steady: '0 of 3',
      joined: undefined,
      all: '0 of 3',
    });
    await client.record('km', 'ada', -20.3);
    expect(await progressOf('ada')).toMatchObject({ far: '-10 of 42.195' });
  });

  it('is all that is needed once the achievement is complete, whatever becomes of the count', async () => {
    await client.record('km', 'bob', 42.194999);
    expect(await progressOf('bob')).toMatchObject({ far: '42.194999 of 42.195', all: '0 of 3' });
    await client.record('km', 'bob', 7.000001);
    expect(await progressOf('bob')).toMatchObject({ far: '42.195 of 42.195', all: '1 of 3' });
    await client.record('km', 'bob', -40);
    expect(await progressOf('bob')).toMatchObject({ far: '42.195 of 42.195', all: '1 of 3' });
    expect(await progressOf('bob', '')).toEqual({ far: '42.195 of 42.195' });
  });

  it('counts the streak as it reads now, without an event at its end', async () => {
    await client.record('runs', 'eve', 1);
    now += DAY_MS;
    await client.record('runs', 'eve', 1);
    expect(await progressOf('eve')).toMatchObject({ steady: '2 of 3' });
    now += 2 * DAY_MS;
    expect(await progressOf('eve')).toMatchObject({ steady: '0 of 3' });
    for (let day = 0; day < 3; day++) {
      await client.record('runs', 'eve', 1);
      now += DAY_MS;
    }
    now += 9 * DAY_MS;
    expect(await progressOf('eve')).toMatchObject({ steady: '3 of 3', all: '1 of 3' });
  });

  it('counts parts that came by call or by hand, and follows what is taken back', async () => {
    await client.record('runs', 'zoe', 1);
    await client.send('POST', '/v1/achievements/joined/complete', { body: { user: { id: 'zoe' } } });
    const byHand = (kind: string) =>
      client.send('POST', `/admin/v1/users/zoe/grants/${kind}`, { body: { achievement: 'far', reason: 'a test' } });
    await byHand('achievement');
    expect(await progressOf('zoe')).toEqual({
      far: '42.195 of 42.195',
      steady: '1 of 3',
      joined: undefined,
      all: '2 of 3',
    });
    await byHand('revocation');
    expect(await progressOf('zoe')).toMatchObject({ far: '0 of 42.195', all: '1 of 3' });
  });

  it('is that of the corrected life', async () => {
    const { eventId } = await client.record('km', 'kim', 50);
    expect(await progressOf('kim')).toMatchObject({ far: '42.195 of 42.195', all: '1 of 3' });
    const corrections = [{ eventId, value: 40 }];
    const { json } = await client.send('POST', '/admin/v1/corrections/previews', { body: { corrections } });
    const body = { corrections, preview: json.id, reason: 'a test' };
    expect((await client.send('POST', '/admin/v1/corrections', { body })).status).toBe(201);
    expect(await progressOf('kim')).toMatchObject({ far: '40 of 42.195', all: '0 of 3' });
  });

  it('may be more than is needed until the next event completes what was made easier', async () => {
    await client.record('km', 'pat', 40);
    const text = CONFIGURATION.replace('42.195', '30');
    expect((await client.send('POST', '/admin/v1/configurations', { body: { text } })).status).toBe(201);
    expect(await progressOf('pat')).toMatchObject({ far: '40 of 30' });
    const why = await client.read('/admin/v1/users/pat/explain/achievements/far');
    expect(why).toMatchObject({ status: 'met' });
    await client.record('km', 'pat', 0);
    expect(await progressOf('pat')).toMatchObject({ far: '30 of 30' });
  });

  it('says the same as the explanation of an open achievement', async () => {
    for (const key of ['far', 'steady']) {
      const { have, need } = await client.read(`/admin/v1/users/ada/explain/achievements/${key}`);
      expect((await progressOf('ada'))[key]).toBe(`${have} of ${need}`);
    }
  });
});
