import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { askingBy, startBrowser, USER, Visit } from '@laurel/testing/console';
import { HTTP_SUITE_CONFIGURATION, type Json } from '@laurel/testing/http-suite';
import type { Browser } from 'playwright-core';
import { parse } from 'yaml';
import { TEST_KEY, serveOnFreshDatabase, type Served } from './testing/serve-in-process.ts';

const MOTIONS = 'document.getAnimations().length';
/** `SAID_EVERY_MS` of the live events. */
const SAID_EVERY_MS = 5_000;

let served: Served;
let browser: Browser;
let visit: Visit;
/** Refuses whatever is sent to it. */
let receiver: Server;

const ask = askingBy(() => served);
const record = (id: string, metric = 'lessons', value = 3): Promise<Json> =>
  ask('POST', `/v1/metrics/${metric}/event`, { user: { id, tz: 'Europe/London' }, value });

const button = (name: string | RegExp) => visit.page.getByRole('button', { name, exact: typeof name === 'string' });

beforeAll(async () => {
  receiver = createServer((request, response) => {
    request.resume();
    response.writeHead(500).end('<b>not now</b>');
  });
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  served = await serveOnFreshDatabase(HTTP_SUITE_CONFIGURATION);
  browser = await startBrowser();
  const document = { ...(parse(HTTP_SUITE_CONFIGURATION) as object), outgoing: { events: 'all' } };
  await ask('POST', '/admin/v1/configurations', { document });
  for (const [metric, value] of Object.entries({ lessons: 12, reviews: 1.5, words: 25, spent: 3 }))
    await record(USER, metric, value);
});
afterAll(async () => {
  await browser?.close();
  await served?.close();
  receiver.closeAllConnections();
  receiver.close();
});
afterEach(async () => {
  await visit.page.unrouteAll({ behavior: 'ignoreErrors' });
  expect(visit.complaints()).toEqual([]);
  await visit.end();
});

async function begin(options: Parameters<typeof Visit.begin>[2] = {}): Promise<void> {
  visit = await Visit.begin(browser, served.baseUrl, options);
}

describe.each(['light', 'dark'] as const)('the console in %s colours', (colorScheme) => {
  beforeEach(async () => {
    await begin({ colorScheme });
    await visit.signIn(TEST_KEY);
  });

  /** The page is accessible and no wider than the window, also on a phone. */
  async function isWhole(picture: string): Promise<void> {
    for (const width of [360, 1_280]) {
      await visit.page.setViewportSize({ width, height: 900 });
      await visit.picture(`${picture}-${colorScheme}-${width}`);
      const found = [picture, width, await visit.sideways(), await visit.violations()];
      expect(found).toEqual([picture, width, 0, []]);
    }
  }

  it('is accessible and fits the window in every dialog of a user', async () => {
    await visit.openWhole(`/users/${USER}`);
    await button('Grant …').click();
    const kinds = visit.page.getByRole('dialog').getByLabel('What');
    await kinds.waitFor();
    const values = await kinds
      .locator('option')
      .evaluateAll((all) => all.map((one) => (one as { value?: string }).value));
    expect(values).toEqual(['points', 'boost', 'freezes', 'streak', 'excused', 'achievement', 'revocation']);
    for (const kind of values) {
      await kinds.selectOption(kind ?? '');
      await isWhole(`dialog-grant-${kind}`);
    }
    await button('Cancel').click();
    await button('Retract …').first().click();
    await visit.page.getByRole('dialog').getByRole('row').nth(1).waitFor();
    await isWhole('dialog-retract');
    await button('Cancel').click();
    await button('Erase …').click();
    await visit.page.getByRole('dialog').getByRole('row').nth(1).waitFor();
    await isWhole('dialog-erase');
  });

  it('is accessible and fits the window in a dialog that shows a refusal', async () => {
    await visit.openWhole(`/users/${USER}`);
    await button('Grant …').click();
    await visit.page.getByLabel(/^Points \(/).fill('0');
    await visit.page.getByLabel(/^Reason/).fill('Nothing at all.');
    await visit.page.getByRole('dialog').getByRole('button', { name: 'Grant', exact: true }).click();
    await visit.page.getByRole('dialog').getByRole('alert').waitFor();
    await isWhole('dialog-refused');
    expect(visit.complaints()).toEqual([expect.stringContaining('422')]);
  });

  it('is accessible and fits the window while webhooks are created, shown and tested', async () => {
    await visit.openWhole('/webhooks');
    await button('Create an endpoint …').click();
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/${colorScheme}`;
    await visit.page.getByLabel('URL').fill(url);
    await isWhole('dialog-webhook');
    await button('Create').click();
    await visit.page.locator('.secret').waitFor();
    await record(`new in ${colorScheme}`);
    const deliveries = visit.page.getByRole('region', { name: 'Deliveries, newest first' });
    const created = deliveries.getByRole('row', { name: /^user\.created/ });
    await created.getByText('failed', { exact: true }).waitFor();
    await created.getByText('First KiB').click();
    await created.getByText('<b>not now</b>').waitFor();
    await button('Send a test').click();
    await visit.shows(/^failed\s+Answered with 500 in \d+ ms\.$/);
    await isWhole('webhooks');
  });
});

describe('a chart of the console', () => {
  it.each([
    ['metrics', '/metrics', 2],
    ['points', '/points?system=xp', 2],
    ['streaks', '/streaks', 1],
    ['user', `/users/${USER}?points=xp&board=lessons-all`, 2],
    ['overview', '', 2],
  ])('can be shown as a table: %s', async (name, path, least) => {
    await begin();
    await visit.signIn(TEST_KEY);
    await visit.openWhole(path);
    const charts = visit.page.locator('svg:not([aria-hidden="true"])');
    await charts.nth(least - 1).waitFor();
    const before = await charts.count();
    const tables = visit.page.locator('figure.chart table');
    expect(await tables.count()).toBe(0);
    expect(await visit.page.locator('figure.chart svg[role="img"][aria-label]').count()).toBe(before);
    while ((await button('As a table').count()) > 0) await button('As a table').first().click();
    expect([await charts.count(), (await tables.count()) >= before]).toEqual([0, true]);
    await visit.picture(`${name}-tables`);
    expect(await visit.violations()).toEqual([]);
  });

  it('lists the days of a sparkline in a table', async () => {
    await begin();
    await visit.signIn(TEST_KEY);
    await visit.openWhole('/metrics?days=30');
    const rows = visit.page.getByRole('region', { name: 'All metrics in the last 30 days' }).locator('tbody tr');
    const count = await rows.count();
    expect(await visit.page.locator('svg.spark[aria-hidden="true"]').count()).toBe(count);
    for (let n = 0; n < count; n++) {
      const [name = '', events = ''] = await rows.nth(n).locator('td').allTextContents();
      await rows.nth(n).getByRole('button').click();
      const caption = `Events of ${name} by day`;
      await visit.page.getByRole('img', { name: caption }).waitFor();
      if ((await button('As a table').count()) > 0) await button('As a table').first().click();
      const days = await visit.rows(caption);
      const sum = days.reduce((total, [, value]) => total + Number(value), 0);
      expect([name, days.length, sum]).toEqual([name, 30, Number(events)]);
      await button('As a chart').first().click();
    }
  });
});

describe('the console while the service is overloaded', () => {
  it('says so, offers to try again and keeps the user signed in', async () => {
    await begin();
    await visit.signIn(TEST_KEY);
    const detail = 'Too much is waiting already.';
    const problem = { type: 'about:blank', title: 'Overloaded', status: 503, code: 'overloaded', detail };
    const answer = { status: 503, contentType: 'application/problem+json', body: JSON.stringify(problem) };
    await visit.page.route(
      ({ pathname }) => pathname === '/console/session',
      (route) => route.fulfill(answer),
      { times: 1 },
    );
    await visit.open('');
    await visit.shows(detail);
    expect(visit.complaints()).toEqual([expect.stringContaining('503')]);
    await button('Try again').click();
    await visit.shows('Live events');
  });
});

describe('a wide table on a phone', () => {
  it('shows a shadow at its edge until it is scrolled to the end', async () => {
    await begin({ viewport: { width: 360, height: 900 }, colorScheme: 'light' });
    await visit.signIn(TEST_KEY);
    await ask('POST', '/admin/v1/keys', { label: 'a key with a label that is long', scopes: ['ingest', 'read'] });
    await visit.openWhole('/keys');
    const table = visit.page.locator('.scroller');
    await table.waitFor();
    const { x, y, width } = (await table.boundingBox()) ?? { x: 0, y: 0, width: 0 };
    const pixelAt = (left: number) => visit.page.screenshot({ clip: { x: left, y: y + 4, width: 1, height: 1 } });
    const edges = () => Promise.all([x + 2, x + width - 3].map(pixelAt));
    const [surface, shadow] = await edges();
    expect(shadow).not.toEqual(surface);
    await table.evaluate((one) => one.scrollTo({ left: one.scrollWidth }));
    const [before, end] = await edges();
    expect(before).not.toEqual(surface);
    expect(end).toEqual(surface);
  });
});

describe('a console page that throws', () => {
  it('says why, and the next page works', async () => {
    await begin();
    await visit.signIn(TEST_KEY);
    await visit.page.route(
      ({ pathname }) => pathname === '/v1/achievements',
      (route) => route.fulfill({ json: [null] }),
      { times: 1 },
    );
    await visit.page.getByRole('link', { name: 'Achievements' }).click();
    await visit.page.getByRole('heading', { level: 1, name: 'This page could not be shown' }).waitFor();
    await visit.shows(/^Cannot .*null/);
    expect(await visit.violations()).toEqual([]);
    await visit.page.getByRole('link', { name: 'Streaks' }).click();
    await visit.page.getByRole('heading', { level: 1, name: 'Streaks' }).waitFor();
    await visit.page.getByRole('link', { name: 'Achievements' }).click();
    await visit.page.getByRole('region', { name: 'Achievements' }).waitFor();
  });
});

describe('a console page whose script is missing, as after an upgrade,', () => {
  it('offers to reload the console, and then shows the page', async () => {
    await begin();
    await visit.signIn(TEST_KEY);
    await visit.page.route(/\/streaks-[^/]*\.js$/, (route) => route.fulfill({ status: 404 }), { times: 1 });
    await visit.page.getByRole('link', { name: 'Streaks' }).click();
    await visit.page.getByRole('heading', { level: 1, name: 'This page could not be loaded' }).waitFor();
    expect(await visit.violations()).toEqual([]);
    expect(visit.complaints()).toEqual([expect.stringContaining('404')]);
    await visit.page.getByRole('button', { name: 'Load the console again' }).click();
    await visit.page.getByRole('heading', { level: 1, name: 'Streaks' }).waitFor();
  });
});

describe('the waiting animation of the console', () => {
  it.each([
    ['no-preference', true],
    ['reduce', false],
  ] as const)('stands still only with prefers-reduced-motion: reduce (%s)', async (reducedMotion, moves) => {
    await begin({ reducedMotion });
    await visit.signIn(TEST_KEY);
    await visit.open('/first-event?metric=reviews');
    await visit.page.locator('.signal').waitFor();
    expect(Number(await visit.evaluate(MOTIONS)) > 0).toBe(moves);
    // The list is never answered, so the page keeps on waiting.
    await visit.page.route(
      ({ pathname }) => pathname === '/admin/v1/users',
      () => undefined,
    );
    await visit.open('/users');
    await visit.page.locator('.skeleton').waitFor();
    expect(Number(await visit.evaluate(MOTIONS)) > 0).toBe(moves);
  });
});

describe('the live feed for screen readers', () => {
  it('announces how many events arrived, each time anew, and not which events', async () => {
    await begin();
    await visit.page.clock.install();
    await visit.signIn(TEST_KEY);
    const user = encodeURIComponent('heard');
    await visit.openWhole(`?user=${user}`);
    await visit.page.locator('.chip', { hasText: /^live$/ }).waitFor();
    const rows = visit.page.locator('.live > li');
    const said = visit.page.locator('.card', { hasText: 'Live events' }).getByRole('status');
    const turn = () => visit.page.clock.fastForward(SAID_EVERY_MS);
    await turn();
    expect(await said.textContent()).toBe('');
    for (const metric of ['words', 'reviews']) await record('heard', metric, 2);
    await rows.nth(1).waitFor();
    await turn();
    expect(await said.textContent()).toBe('2 new events');
    const before = await said.locator('span').elementHandle();
    for (const metric of ['words', 'reviews']) await record('heard', metric, 3);
    await rows.nth(3).waitFor();
    await turn();
    expect(await said.textContent()).toBe('2 new events');
    // The same words are said again only if they are new to the document.
    expect(await before?.evaluate((span) => span.isConnected)).toBe(false);
    await record('heard', 'words', 4);
    await rows.nth(4).waitFor();
    await turn();
    expect(await said.textContent()).toBe('1 new event');
  });
});
