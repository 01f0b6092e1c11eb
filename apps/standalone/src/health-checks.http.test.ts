import type { Clock } from '@laurel/ports';
import type { ServiceStatus } from '@laurel/schemas';
import { ManualClock } from '@laurel/testing/clock';
import type { TestDatabase } from '@laurel/testing/database';
import { openServiceDatabase } from '@laurel/testing/service-database';
import { askOf } from './testing/ask.ts';
import { serveInProcess, type Served } from './testing/serve-in-process.ts';

const CONFIGURATION = `
version: 1
metrics: [{ key: runs, name: Runs }]
streak: { frequency: daily, conditions: [{ metric: runs, threshold: 1 }] }
outgoing: { events: [streak.extended] }
`;

interface Readiness {
  readonly components: { readonly database: { readonly ok: boolean; readonly detail?: { readonly reason: string } } };
  readonly sweeps?: string;
  readonly outcomes?: string;
}

let database: TestDatabase;
let served: Served;
let pump: NodeJS.Timeout;
let isFast = false;
const ask = askOf(() => served);
const record = () => ask('/v1/metrics/runs/event', { user: { id: 'ada' }, value: 1 });

/** A second of the service takes twenty milliseconds while `isFast`: what has a limit in it is asked while time is slow. */
function fastClock(): Clock {
  const timers = new ManualClock();
  const beganAt = Date.now();
  pump = setInterval(() => void timers.advance(isFast ? 1_000 : 20), 20);
  return {
    now: () => beganAt + timers.now(),
    elapsedMs: () => timers.elapsedMs(),
    after: (delayMs, task) => timers.after(delayMs, task),
  };
}

beforeEach(async () => {
  isFast = false;
  database = await openServiceDatabase();
  served = await serveInProcess(database.connection, CONFIGURATION, fastClock());
});
afterEach(async () => {
  await served.close();
  clearInterval(pump);
  await database.close();
});

async function until<T>(look: () => Promise<T>, isSo: (seen: T) => boolean): Promise<T> {
  for (;;) {
    const seen = await look();
    if (isSo(seen)) return seen;
    isFast = true;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    isFast = false;
  }
}

it.each([
  ['a missing column', 'rename column period_start to gone', '42703'],
  [
    'a date in another format',
    "alter period_start type text using to_char(period_start, 'DD/MM/YYYY')",
    'the check failed',
  ],
])('GET /readyz answers 503 while reads fail: %s', async (_, change, reason) => {
  expect((await record()).status).toBe(201);
  expect(await ask<Readiness>('/readyz')).toMatchObject({ status: 200 });
  await database.sql.query(`alter table streak_periods ${change}`, []);
  const { status, answer } = await ask<Readiness>('/readyz');
  expect(status).toBe(503);
  expect(answer.components.database).toEqual({ ok: false, detail: { reason } });
});

it.each([
  ['sweeps', 'due_marks', 'what falls due is not settled'],
  ['outcomes', 'outcomes', 'none are made'],
] as const)('GET /readyz reports %s that have failed for five minutes, and stays ready', async (name, table, harm) => {
  expect((await record()).status).toBe(201);
  await database.sql.query(`alter table ${table} rename to gone`, []);
  expect((await record()).status).toBe(201);
  const readiness = () => ask<Readiness>('/readyz');
  const { status, answer } = await until(readiness, (seen) => seen.answer[name] !== undefined);
  expect(status).toBe(200);
  expect(answer[name]).toMatch(new RegExp(`^${name} have failed for \\d+ min: ${harm}; the log says why$`));
  const notified = await ask<ServiceStatus>('/admin/v1/status');
  expect(notified.answer.ready).toBe(false);
  expect(notified.answer.problems).toEqual([expect.stringMatching(`^${name} have failed for `)]);
  const metrics = await (await fetch(`${served.baseUrl}/metrics`)).text();
  expect(
    Number(new RegExp(`laurel_failing_seconds\\{.*work="${name}".*\\} (.*)`).exec(metrics)?.[1]),
  ).toBeGreaterThanOrEqual(300);

  await database.sql.query(`alter table gone rename to ${table}`, []);
  await until(readiness, (seen) => seen.answer[name] === undefined);
  expect((await ask<ServiceStatus>('/admin/v1/status')).answer).toMatchObject({ ready: true, problems: [] });
});
