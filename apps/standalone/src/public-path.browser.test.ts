import { createServer, request, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createClock } from '@laurel/runtime';
import { startBrowser, Visit } from '@laurel/testing/console';
import type { TestDatabase } from '@laurel/testing/database';
import { HTTP_SUITE_CONFIGURATION } from '@laurel/testing/http-suite';
import { openServiceDatabase } from '@laurel/testing/service-database';
import type { Browser } from 'playwright-core';
import { serveInProcess, TEST_KEY, type Served } from './testing/serve-in-process.ts';

const PATH = '/apps/laurel';

let database: TestDatabase;
let served: Served;
let browser: Browser;
let proxy: Server;
let visit: Visit;

beforeAll(async () => {
  database = await openServiceDatabase();
  const clock = createClock({ type: 'system' });
  served = await serveInProcess(database.connection, HTTP_SUITE_CONFIGURATION, clock, `http://localhost${PATH}`);
  browser = await startBrowser();
  // Takes the path off, and answers nothing beside it.
  proxy = createServer((incoming, outgoing) => {
    const { method, url = '', headers } = incoming;
    if (!url.startsWith(`${PATH}/`)) return void outgoing.writeHead(404).end('another service');
    const passed = request(new URL(url.slice(PATH.length), served.baseUrl), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
});
afterAll(async () => {
  await browser?.close();
  proxy?.closeAllConnections();
  proxy?.close();
  await served?.close();
  await database?.close();
});
afterEach(async () => {
  expect(visit.complaints()).toEqual([]);
  await visit.end();
});

const proxied = () => `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;

it.each([
  ['behind a proxy that strips it', proxied],
  ['behind a proxy that passes it on', () => served.baseUrl],
])('the console works below a path %s', async (_, origin) => {
  const { page } = (visit = await Visit.begin(browser, origin()));
  await page.goto(`${origin()}${PATH}/console`);
  await page.getByLabel('API key').fill(TEST_KEY);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();

  await page.getByRole('link', { name: 'Leaderboards' }).click();
  await page.getByRole('heading', { level: 1, name: 'Leaderboards' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`${PATH}/console/leaderboards`);
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Leaderboards' }).waitFor();

  await page.getByRole('link', { name: 'First event' }).click();
  await page.getByText(`${origin()}${PATH}/api/metrics/`).waitFor();
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByText('live', { exact: true }).first().waitFor();
  expect(new URL(page.url()).pathname).toBe(`${PATH}/console`);
});

it('the console redirects a page requested without the path to the path', async () => {
  const { page } = (visit = await Visit.begin(browser, served.baseUrl));
  await page.goto(`${served.baseUrl}/console/leaderboards`);
  await page.waitForURL(`${served.baseUrl}${PATH}/console/leaderboards`);
});
