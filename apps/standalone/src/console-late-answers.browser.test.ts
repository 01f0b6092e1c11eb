import { consoleSuite, openDraft, plan, type Visit } from '@laurel/testing/console';
import { HTTP_SUITE_CONFIGURATION } from '@laurel/testing/http-suite';
import net from 'node:net';
import type { Route } from 'playwright-core';
import { TEST_KEY, serveInProcess } from './testing/serve-in-process.ts';

const suite = consoleSuite((connection) => serveInProcess(connection, HTTP_SUITE_CONFIGURATION));
let visit: Visit;
const at = (path: string) => (url: URL) => url.pathname === path;

beforeAll(() => suite.record({ id: 'ada' }));

/** With a clock that {@link passes} may move on. */
async function begin(baseUrl?: string): Promise<void> {
  visit = await suite.visit({}, baseUrl);
  await visit.page.clock.install();
  await visit.signIn(TEST_KEY);
}
afterEach(async () => {
  await visit.page.unrouteAll({ behavior: 'ignoreErrors' });
  await visit.end();
});

/** Lets time pass on the clock of the page, five seconds at a time, until something holds. */
async function passes(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 60; turn++) {
    if (await holds()) return;
    await visit.page.clock.runFor(5_000);
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`not after five minutes: ${what}`);
}

/** Holds back requests with this method; each waits in `held`. */
async function holdBack(path: string, method: string): Promise<() => Promise<Route>> {
  let held: (route: Route) => void = () => undefined;
  const first = new Promise<Route>((resolve) => (held = resolve));
  await visit.page.route(at(path), async (route) =>
    route.request().method() === method ? held(route) : route.continue(),
  );
  return () => first;
}

describe('a page that polls the service', () => {
  const health = () => visit.page.locator('.figure', { hasText: 'Health' }).locator('strong');

  it('says “no answer” once the service hangs', async () => {
    await begin();
    await visit.page.locator('.figure', { hasText: 'Health' }).getByText('ready', { exact: true }).waitFor();
    await visit.page.route(at('/admin/v1/status'), () => undefined);
    await passes('no answer', async () => (await health().innerText()) === 'no answer');
  });

  it('waits for answers that take longer than the polling interval', async () => {
    await begin();
    const held: Route[] = [];
    await visit.page.route(at('/admin/v1/status'), (route) => void held.push(route));
    await visit.page.getByRole('link', { name: 'Operations' }).click();
    const shown = visit.page.getByText('Time zone data');
    for (let turn = 0; turn < 40 && (await shown.count()) === 0; turn++) {
      const asked = held.splice(0);
      await visit.page.clock.runFor(3_000);
      await Promise.all(asked.map((route) => route.continue().catch(() => undefined)));
      await new Promise((done) => setTimeout(done, 100));
    }
    expect(await shown.count()).toBe(1);
  });
});

describe('a list of the console', () => {
  const user = (id: string) => ({
    ...{ id, name: null, email: null, tz: 'UTC', created: '2026-01-01T00:00:00.000Z' },
    ...{ subscribeToEmails: true, starts: null },
  });

  it('stops reporting a failed page once it loads again', async () => {
    await begin();
    let isDown = true;
    await visit.page.route(at('/admin/v1/users'), async (route) => {
      const query = new URL(route.request().url()).searchParams;
      const prefix = query.get('prefix');
      if (query.get('cursor') && isDown) return route.abort();
      const next = query.get('cursor') || prefix ? null : 'c';
      return route.fulfill({ json: { users: [user(prefix ?? (isDown ? 'a' : 'b'))], next } });
    });
    await visit.page.getByRole('link', { name: 'Users' }).click();
    await visit.page.getByRole('button', { name: 'Show more' }).click();
    await visit.page.getByRole('alert').waitFor();
    isDown = false;
    await visit.page.getByRole('button', { name: 'Try again' }).click();
    await visit.page.getByRole('link', { name: 'b', exact: true }).waitFor();
    expect(await visit.page.getByRole('alert').count()).toBe(0);
  });

  it('keeps its rows when a page arrives after the list was reloaded', async () => {
    await begin();
    const endpoint = {
      ...{ id: 'e1', url: 'https://example.com/a', description: '', types: null, ordering: 'user', state: 'enabled' },
      ...{ stateSince: '2026-01-01T00:00:00.000Z', disabledBecause: null, failingSince: null, rotatedUntil: null },
      ...{ replaying: false, behind: 0, unfinished: 0, abandoned: 0, lastSuccessAt: null, warnings: [] },
    };
    await visit.page.route(at('/admin/v1/webhooks'), (route) => route.fulfill({ json: [endpoint] }));
    let newest = 6;
    const delivery = (sequence: number) => ({
      ...{ id: `d${sequence}`, type: 'user.created', sequence, replay: false, state: 'delivered', finishedAt: null },
      ...{ nextAttemptAt: null, attempts: 1, status: 200, tookMs: 1, error: null, response: null },
    });
    const page = (from: number) => ({ deliveries: [delivery(from), delivery(from - 1)], next: String(from - 2) });
    let hold: (route: Route) => void = () => undefined;
    const late = new Promise<Route>((resolve) => (hold = resolve));
    await visit.page.route(at('/admin/v1/webhooks/e1/deliveries'), async (route) => {
      const cursor = new URL(route.request().url()).searchParams.get('cursor');
      if (cursor === '4') return hold(route);
      await route.fulfill({ json: page(cursor === null ? newest : Number(cursor)) });
    });
    const shown = async () => {
      const rows = await visit.rows('Deliveries, newest first');
      return rows.map(([first]) => Number(/no\. (\d+)/.exec(first ?? '')?.[1]));
    };
    await visit.page.getByRole('link', { name: 'Webhooks' }).click();
    await visit.page.getByText('no. 6').first().waitFor();
    await visit.page.getByRole('button', { name: 'Show more' }).click();
    const route = await late;
    newest = 10;
    await visit.page.getByRole('button', { name: 'Refresh' }).click();
    await visit.page.getByText('no. 10').first().waitFor();
    const answered = visit.page.waitForResponse((response) => response.url().includes('cursor=4'));
    await route.fulfill({ json: page(4) });
    await answered;
    await visit.page.getByRole('button', { name: 'Show more' }).click();
    await visit.page.getByText('no. 7').first().waitFor();
    expect(await shown()).toEqual([10, 9, 8, 7]);
  });
});

describe('a slow publication', () => {
  const withMetric = (metric: string) => HTTP_SUITE_CONFIGURATION.replace(/^metrics:$/m, `metrics:\n  - ${metric}`);

  async function publishing(key: string) {
    await begin();
    const { write } = await openDraft(visit);
    await write(withMetric(`{ key: ${key}, name: One }`));
    await plan(visit);
    const button = visit.page.getByRole('button', { name: /^Publish version/ });
    await button.waitFor();
    const held = await holdBack('/admin/v1/configurations', 'POST');
    await button.click();
    const route = await held();
    const answered = visit.page.waitForResponse(
      (response) => response.request().method() === 'POST' && response.url().endsWith('/admin/v1/configurations'),
    );
    const goOn = async () => {
      await route.continue();
      await answered;
      await passes('everything that follows from it', async () => visit.page.clock.runFor(1_000).then(() => true));
    };
    return { write, goOn };
  }

  it('keeps text that is written meanwhile as a draft', async () => {
    const { write, goOn } = await publishing('one');
    await write(withMetric('{ key: two, name: Written meanwhile }'));
    await goOn();
    await visit.shows('Your unpublished draft.');
    expect(await visit.page.locator('.cm-content').innerText()).toContain('Written meanwhile');
  });

  it('does not navigate back a user who has left the page', async () => {
    const { goOn } = await publishing('three');
    await visit.page.getByRole('link', { name: 'Streaks' }).click();
    await visit.page.getByRole('heading', { level: 1, name: 'Streaks' }).waitFor();
    await goOn();
    expect(new URL(visit.page.url()).pathname).toBe('/console/streaks');
  });
});

describe('the live feed', () => {
  const isLive = async () => (await visit.page.locator('.chip', { hasText: /^live$/ }).count()) > 0;

  it('says that the service has no room for another watcher', async () => {
    await begin();
    const problem = { type: 'about:blank', title: 'Overloaded', status: 503, code: 'overloaded' };
    await visit.page.route(at('/admin/v1/live'), (route) =>
      route.fulfill({
        ...{ status: 503, headers: { 'retry-after': '5' }, contentType: 'application/problem+json' },
        body: JSON.stringify({ ...problem, detail: '32 watch already.' }),
      }),
    );
    await visit.page.reload();
    await visit.shows('32 watch already.');
    expect(await visit.page.getByText('No events yet').count()).toBe(0);
  });

  it('is no longer called live once its connection stalls', async () => {
    let isStalled = false;
    const sockets: net.Socket[] = [];
    const proxy = net.createServer((down) => {
      const up = net.connect(Number(new URL(suite.served().baseUrl).port), '127.0.0.1');
      sockets.push(down, up);
      up.on('data', (chunk) => void (isStalled || down.write(chunk)));
      down.on('data', (chunk) => void (isStalled || up.write(chunk)));
      for (const one of [up, down]) one.on('error', () => undefined);
      down.on('close', () => up.destroy());
      up.on('close', () => down.destroy());
    });
    await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
    try {
      await begin(`http://127.0.0.1:${(proxy.address() as net.AddressInfo).port}`);
      await passes('live', isLive);
      isStalled = true;
      await passes('not live', async () => !(await isLive()));
    } finally {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    }
  });
});
