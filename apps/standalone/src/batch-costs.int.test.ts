import { jest } from '@jest/globals';
import type { Clock } from '@laurel/ports';
import { LogWriter } from '@laurel/event-store';
import { createClock } from '@laurel/runtime';
import type { TestDatabase } from '@laurel/testing/database';
import { openServiceDatabase } from '@laurel/testing/service-database';
import { serveInProcess, type Served } from './testing/serve-in-process.ts';

const CONFIGURATION = `
version: 1
metrics: [{ key: lessons, name: Lessons }]
streak: { frequency: daily, mode: any, conditions: [{ metric: lessons, threshold: 1 }] }
achievements: [{ key: first, name: First, trigger: { type: metric, metric: lessons, value: 1 } }]
points: [{ key: xp, name: XP, triggers: [{ type: metric, metric: lessons, threshold: 1, points: 10 }] }]
leaderboards:
  - { key: top, name: Top, rankBy: metric, metric: lessons, start: 2020-01-01 }
  - { key: richest, name: Richest, rankBy: points, pointsSystem: xp, start: 2020-01-01 }
`;
const USERS = Array.from({ length: 100 }, (_, index) => `user-${index}`);
/** Its record, an award, and a change of rank on each board. */
const ROWS_OF_AN_EVENT = 4;
/** At noon, and nothing happens by itself. */
const clock: Clock = {
  ...createClock({ type: 'frozen', at: Date.parse('2026-03-06T12:00:00Z') }),
  after: () => () => undefined,
};

describe('the event log writer', () => {
  let database: TestDatabase;
  let served: Served;
  beforeEach(async () => {
    database = await openServiceDatabase();
    served = await serveInProcess(database.connection, CONFIGURATION, clock);
    // Somebody is a step ahead of all others, so the rows of counters that these come upon are there.
    await postForEach(['pioneer']);
    await postForEach(['pioneer']);
    // Their first event, which creates them.
    await postForEach();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await served.close();
    await database.close();
  });

  async function postForEach(users: readonly string[] = USERS): Promise<void> {
    const answers = await Promise.all(
      users.map((id) =>
        served.http.fastify.inject({
          method: 'POST',
          url: '/api/metrics/lessons/event',
          headers: { 'x-api-key': served.apiKey },
          payload: { user: { id, tz: 'UTC' }, value: 1 },
        }),
      ),
    );
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([201]));
  }

  async function batches(): Promise<number> {
    const { body } = await served.http.fastify.inject({ url: '/metrics' });
    return Number(/^laurel_batch_commands_count\{.*\} (\d+)$/m.exec(body)?.[1]);
  }

  async function rowsStored(): Promise<number> {
    const tables = await database.sql.query<{ name: string }>(
      "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
      [],
    );
    const counts = tables.map(({ name }) => `(select count(*) from ${name})`);
    const [counted] = await database.sql.query<{ rows: string }>(`select ${counts.join(' + ')} as rows`, []);
    return Number(counted?.rows);
  }

  it('sends one statement per batch, whatever its events cause', async () => {
    const before = await batches();
    const statements = jest.spyOn(LogWriter.prototype, 'query');
    await postForEach();
    expect((await batches()) - before).toBeGreaterThan(0);
    expect(statements.mock.calls).toHaveLength((await batches()) - before);
  });

  it('stores per event at most its record and one row for each award and rank change', async () => {
    const before = await rowsStored();
    await postForEach();
    const rows = (await rowsStored()) - before;
    expect(rows).toBeGreaterThanOrEqual(USERS.length);
    expect(rows / USERS.length).toBeLessThanOrEqual(ROWS_OF_AN_EVENT);
  });
});
