import {
  HOSTILE_CONFIGURATION,
  HOSTILE_NAMES,
  HOSTILE_REASONS,
  PAGES,
  startBrowser,
  Visit,
} from '@laurel/testing/console';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import type { Browser } from 'playwright-core';
import { TEST_KEY, serveInProcess, type Served } from './testing/serve-in-process.ts';

/** What a name must not become. */
const ELEMENTS =
  'img, iframe, object, embed, base, style, meta[http-equiv], script:not([src]), [onerror], [onmouseover]';

describe('names that are not meant well', () => {
  let database: TestDatabase;
  let served: Served;
  let browser: Browser;
  let visit: Visit;

  beforeAll(async () => {
    database = await openTestDatabase([]);
    served = await serveInProcess(database.connection, HOSTILE_CONFIGURATION);
    browser = await startBrowser();
    for (const [n, name] of HOSTILE_NAMES.entries()) {
      await post('/v1/metrics/m0/event', { user: { id: name, name }, value: n + 1 });
      await post('/admin/v1/keys', { label: name, scopes: ['read'] });
      await post('/admin/v1/webhooks', { url: 'http://127.0.0.1:9/', description: name });
    }
    for (const [n, reason] of HOSTILE_REASONS.entries()) {
      const user = HOSTILE_NAMES[n % HOSTILE_NAMES.length] ?? '';
      await post(`/admin/v1/users/${encodeURIComponent(user)}/grants/points`, { system: 'p0', amount: 1, reason });
    }
  });
  afterAll(async () => {
    await browser?.close();
    await served?.close();
    await database?.close();
  });
  afterEach(async () => {
    expect(visit.complaints()).toEqual([]);
    await visit.end();
  });

  async function post(path: string, body: object): Promise<void> {
    const answer = await fetch(`${served.baseUrl}${path}`, {
      ...{ method: 'POST', headers: { 'x-api-key': TEST_KEY, 'content-type': 'application/json' } },
      body: JSON.stringify(body),
    });
    if (answer.status !== 201 && answer.status !== 200) throw new Error(`${path}: ${await answer.text()}`);
  }

  const content = async (): Promise<string> => (await visit.page.locator('#content').textContent()) ?? '';

  async function isHarmless(page: string): Promise<void> {
    const elements = await visit.page.locator(ELEMENTS).count();
    expect([page, elements, await visit.sideways(), await visit.page.title()]).toEqual([
      ...[page, 0, 0],
      expect.stringMatching(/ · Laurel$/),
    ]);
  }

  it.each([1_280, 360])('are text on every page that names them, and none is wider than %i pixels', async (width) => {
    visit = await Visit.begin(browser, served.baseUrl, { viewport: { width, height: 900 } });
    await visit.signIn(TEST_KEY);
    for (const [page, { path, names, ofUser }] of Object.entries(PAGES)) {
      if (ofUser) continue;
      await visit.openWhole(path);
      const text = await content();
      for (const kind of names)
        for (const name of kind === 'reason' ? HOSTILE_REASONS : HOSTILE_NAMES)
          expect([page, kind, text]).toEqual([page, kind, expect.stringContaining(name)]);
      await isHarmless(page);
      if (width === 360) await visit.picture(`${page}-hostile-${width}`);
    }
  });

  it('are the names of users, each on a page of their own', async () => {
    visit = await Visit.begin(browser, served.baseUrl, { viewport: { width: 360, height: 900 } });
    await visit.signIn(TEST_KEY);
    for (const name of HOSTILE_NAMES) {
      await visit.openWhole(`/users/${encodeURIComponent(name)}`);
      expect(await visit.page.locator('h1').textContent()).toBe(name);
      const text = await content();
      for (const shown of HOSTILE_NAMES) expect([name, text]).toEqual([name, expect.stringContaining(shown)]);
      await isHarmless(name);
    }
    await visit.picture('user-hostile-360');
  });

  it('are text in the live feed', async () => {
    visit = await Visit.begin(browser, served.baseUrl, { viewport: { width: 360, height: 900 } });
    await visit.signIn(TEST_KEY);
    await visit.page.locator('.chip', { hasText: /^live$/ }).waitFor();
    for (const name of HOSTILE_NAMES) await post('/v1/metrics/m0/event', { user: { id: name }, value: 77 });
    const rows = visit.page.locator('.live > li', { hasText: 'm0 +77' });
    await rows.nth(HOSTILE_NAMES.length - 1).waitFor();
    expect(await rows.locator('a').allTextContents()).toEqual(HOSTILE_NAMES.toReversed());
    await isHarmless('overview');
  });
});
