import { Client, type Json } from '@laurel/testing/http-suite';
import { parse } from 'yaml';
import { serveOnFreshDatabase, type Served } from './testing/serve-in-process.ts';

const CONFIGURATION = `
version: 1
metrics: [{ key: lessons, name: Lessons }]
streak: { frequency: daily, conditions: [{ metric: lessons, threshold: 1 }] }
points: [{ key: xp, name: XP, triggers: [{ type: metric, metric: lessons, threshold: 100, points: 1 }] }]
`;
const BOARDS = `${CONFIGURATION}
leaderboards:
  - { key: lessons, name: Lessons, rankBy: metric, metric: lessons, start: 2020-01-01, runUnit: month, runInterval: 1 }
  - { key: ever, name: Ever, rankBy: metric, metric: lessons, start: 2000-01-01 }
  - { key: xp, name: XP, rankBy: points, pointsSystem: xp, start: 2020-01-01, runUnit: month, runInterval: 1 }
  - { key: january, name: January, rankBy: streak, start: 2026-01-01, end: 2026-01-31 }
  - { key: before, name: Before, rankBy: streak, start: 2025-01-01, end: 2025-12-31 }
`;

interface Event {
  readonly value: number;
  /** Of the month of 2026. */
  readonly month: number;
  readonly retracted?: true;
}

const event = (value: number, month: number): Event => ({ value, month });
/** Users and what is recorded of them before there is a board. */
const STORIES: Readonly<Record<string, readonly Event[]>> = {
  zeros: [event(0, 1), event(0, 2)],
  cancelled: [event(3, 1), event(-3, 1)],
  'cancelled beside others': [event(3, 1), event(-3, 1), event(2, 2)],
  negative: [event(-3, 1)],
  elsewhere: [event(3, 2)],
  'zero here': [event(0, 1), event(3, 2)],
  'retracted here': [{ value: 3, month: 1, retracted: true }, event(3, 2)],
  'retracted beside zeros': [{ value: 3, month: 1, retracted: true }, event(0, 2)],
};

/** The truth by the log. */
function whyOf(events: readonly Event[], isIn: (month: number) => boolean): string {
  const something = events.filter(({ value, retracted }) => value !== 0 && !retracted);
  if (something.length === 0) return 'nothing_recorded';
  return something.some(({ month }) => isIn(month)) ? 'recorded_before' : 'outside_run';
}

describe('the reason why nothing of a user counted on a board', () => {
  let served: Served;
  const client = new Client(() => served);
  const pathOf = (user: string) => `/admin/v1/users/${encodeURIComponent(user)}`;
  const timestampOf = (month: number) => new Date(Date.UTC(2026, month - 1, 10)).toISOString();
  const publish = async (): Promise<void> => {
    const { status, json } = await client.send('POST', '/admin/v1/configurations', {
      body: { document: parse(BOARDS) as unknown },
    });
    expect({ status, json }).toMatchObject({ status: 201 });
  };

  async function retract(eventId: string): Promise<void> {
    const corrections = [{ eventId, retract: true }];
    const { json } = await client.send('POST', '/admin/v1/corrections/previews', { body: { corrections } });
    const body = { corrections, preview: json.id, reason: 'a test' };
    expect((await client.send('POST', '/admin/v1/corrections', { body })).status).toBe(201);
  }

  const standing = (user: string, board: string, run = '2026-01-01'): Promise<Json> =>
    client.read(`${pathOf(user)}/explain/leaderboards/${board}?run=${run}`);

  beforeEach(async () => {
    served = await serveOnFreshDatabase(CONFIGURATION);
  });
  afterEach(async () => {
    await served?.close();
  });

  it('agrees with the log for zeros and for cancelling, negative and retracted values', async () => {
    const toRetract: string[] = [];
    for (const [id, events] of Object.entries(STORIES)) {
      const items = events.map(({ value, month }) => ({
        ...{ metric: 'lessons', user: { id }, value, timestamp: timestampOf(month) },
      }));
      const { json } = await client.batch(items);
      events.forEach(({ retracted }, place) => retracted && toRetract.push(json.results[place].eventId as string));
    }
    await client.send('POST', '/admin/v1/imports/finish');
    for (const eventId of toRetract) await retract(eventId);
    await publish();
    for (const [id, events] of Object.entries(STORIES))
      for (const month of [1, 2, 3]) {
        const { status, uncounted } = await standing(id, 'lessons', `2026-0${month}-01`);
        expect([id, month, status, uncounted]).toEqual([id, month, 'no_value', whyOf(events, (one) => one === month)]);
      }
    for (const [id, events] of Object.entries(STORIES))
      expect([id, (await standing(id, 'ever')).uncounted]).toEqual([id, whyOf(events, () => true)]);
  });

  it('agrees with the log for events of more than ten years ago', async () => {
    await client.import('lessons', 'old', 1, '2001-05-01T00:00:00Z');
    await client.send('POST', '/admin/v1/imports/finish');
    await publish();
    expect((await standing('old', 'ever')).uncounted).toBe('recorded_before');
  });

  it('agrees with the log for points kept off the boards and for an ended streak', async () => {
    const day = (date: string) => client.import('lessons', 'ada', 1, `2026-${date}T12:00:00Z`);
    await day('01-10');
    await day('02-10');
    await client.send('POST', '/admin/v1/imports/finish');
    await publish();
    const run = `${new Date().toISOString().slice(0, 7)}-01`;
    expect((await standing('ada', 'xp', run)).uncounted).toBe('nothing_recorded');
    const body = { system: 'xp', amount: 5, boards: false, reason: 'a test' };
    expect((await client.send('POST', `${pathOf('ada')}/grants/points`, { body })).status).toBe(201);
    expect((await standing('ada', 'xp', run)).uncounted).toBe('kept_off');
    expect((await standing('ada', 'xp')).uncounted).toBe('outside_run');
    expect((await standing('ada', 'january')).uncounted).toBe('recorded_before');
    expect((await standing('ada', 'before', '2025-06-01')).uncounted).toBe('outside_run');
  });
});
