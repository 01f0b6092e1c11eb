import { askingBy, openDraft, plan, startBrowser, Visit } from '@laurel/testing/console';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { HTTP_SUITE_CONFIGURATION, type Json } from '@laurel/testing/http-suite';
import net from 'node:net';
import type { Browser, Route } from 'playwright-core';
import { TEST_KEY, serveInProcess, type Served } from './testing/serve-in-process.ts';

let database: TestDatabase;
let served: Served;
let browser: Browser;
let visit: Visit;
const ask = askingBy(() => served);
const record = (user: object, metric = 'lessons'): Promise<Json> =>
  ask('POST', `/v1/metrics/${metric}/event`, { user, value: 3 });
const at = (path: string) => (url: URL) => url.pathname === path;

beforeAll(async () => {
  database = await openTestDatabase([]);
  served = await serveInProcess(database.connection, HTTP_SUITE_CONFIGURATION);
  browser = await startBrowser();
  await record({ id: 'ada' });
});
afterAll(async () => {
  await browser?.close();
  await served?.close();
  await database?.close();
});

/** With a clock that {@link passes} may move on. */
async function begin(baseUrl = served.baseUrl): Promise<void> {
  visit = await Visit.begin(browser, baseUrl);
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

describe('a service that is asked again and again', () => {
  const health = () => visit.page.locator('.figure', { hasText: 'Health' }).locator('strong');

  it('is not called ready once it hangs', async () => {
    await begin();
    await visit.page.locator('.figure', { hasText: 'Health' }).getByText('ready', { exact: true }).waitFor();
    await visit.page.route(at('/admin/v1/status'), () => undefined);
    await passes('no answer', async () => (await health().innerText()) === 'no answer');
  });

  it('is waited for though it answers more slowly than it is asked', async () => {
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
