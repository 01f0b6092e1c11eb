import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { HTTP_SUITE_CONFIGURATION } from '@laurel/testing/http-suite';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { TEST_KEY, serveInProcess, type Served } from './testing/serve-in-process.ts';

/** As Debian and others install it. */
const BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome'];
/** Of every page, one each run. */
const PICTURES = 'coverage/console';
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** What must be shown as text, wherever it is a name. */
const NASTY = '<img src=x onerror="document.title=1">';

const run = promisify(execFile);

const PAGES = {
  overview: '',
  'first-event': '/first-event',
  users: '/users',
  user: '/users/ada',
  achievements: '/achievements',
  points: '/points',
  leaderboards: '/leaderboards',
  configuration: '/configuration',
  keys: '/keys',
  audit: '/audit',
  operations: '/operations',
};

let database: TestDatabase;
let served: Served;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** What must not be: messages of the console, errors, requests to elsewhere. */
const complaints: string[] = [];

const METRIC = /key: (\w+)/.exec(HTTP_SUITE_CONFIGURATION)?.[1] ?? '';
async function record(user: object): Promise<void> {
  const answer = await fetch(`${served.baseUrl}/v1/metrics/${METRIC}/event`, {
    method: 'POST',
    headers: { 'x-api-key': TEST_KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ user, value: 3 }),
  });
  if (answer.status !== 201) throw new Error(await answer.text());
}

beforeAll(async () => {
  database = await openTestDatabase([]);
  served = await serveInProcess(database.connection, HTTP_SUITE_CONFIGURATION);
  await record({ id: 'ada', name: NASTY, tz: 'Europe/London' });
  const executablePath = process.env['LAUREL_CHROMIUM'] ?? BROWSERS.find((path) => existsSync(path));
  if (executablePath === undefined) throw new Error('no browser was found: name one in LAUREL_CHROMIUM');
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  mkdirSync(PICTURES, { recursive: true });
});
afterAll(async () => {
  await browser?.close();
  await served?.close();
  await database?.close();
});
beforeEach(async () => {
  await enter({});
});
afterEach(async () => {
  await context.close();
  expect(complaints.splice(0)).toEqual([]);
});

/** A browser in which nobody has been before. */
async function enter(options: Parameters<Browser['newContext']>[0]): Promise<void> {
  await context?.close();
  context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  page = await context.newPage();
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol !== 'data:' && origin !== served.baseUrl) complaints.push(`a request to ${origin}`);
  });
}

const open = async (path: string) => {
  await page.goto(`${served.baseUrl}/console${path}`);
  await page.waitForSelector('h1');
};
async function signIn(key = TEST_KEY): Promise<void> {
  await open('');
  await page.fill('#key', key);
  await page.keyboard.press('Enter');
}
const settled = () => page.waitForSelector('.skeleton', { state: 'detached' });
const shows = (text: string) => page.getByText(text).first().waitFor();

/** Scripts of the page may not be added to it, so they are run from outside. */
async function evaluate(expression: string): Promise<string> {
  const session = await context.newCDPSession(page);
  const { result } = await session.send('Runtime.evaluate', { expression, awaitPromise: true });
  return String(result.value);
}

async function violations(): Promise<readonly string[]> {
  await evaluate(AXE);
  const found = await evaluate(`axe.run(document, { runOnly: ${JSON.stringify(RULES)} })
    .then(({ violations }) => JSON.stringify(violations.map(({ id, nodes }) => id + ' ' + nodes[0].html)))`);
  return JSON.parse(found) as string[];
}

describe('signing in', () => {
  it('refuses a wrong key with the reason, lets the right one in, and out again', async () => {
    await signIn('not a key of this service at all');
    await shows('The API key is unknown');
    // A browser reports every answer that is an error.
    expect(complaints.splice(0)).toEqual([expect.stringContaining('401')]);
    await signIn();
    await shows('Live events');
    await page.click('text=Sign out');
    await shows('Sign in to Laurel');
    expect(await context.cookies()).toEqual([]);
  });

  it('takes the link that the command line prints, once', async () => {
    const answer = await fetch(`${served.baseUrl}/admin/v1/console-links`, {
      method: 'POST',
      headers: { 'x-api-key': TEST_KEY, 'content-type': 'application/json' },
      body: '{}',
    });
    const { url } = (await answer.json()) as { readonly url: string };
    await page.goto(`${served.baseUrl}/console${new URL(url).hash}`);
    await shows('Live events');
    expect(page.url()).not.toContain('token');
  });

  it('works with the keyboard alone', async () => {
    await open('');
    await page.focus('#key');
    await page.keyboard.type(TEST_KEY);
    await page.keyboard.press('Enter');
    await shows('Live events');
    await page.getByRole('link', { name: 'Users' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'ada' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: NASTY }).waitFor();
  });
});

describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
  it.each([1_280, 360])('every page is whole and accessible at a width of %i', async (width) => {
    await enter({ colorScheme, viewport: { width, height: 900 } });
    await signIn();
    await shows('Live events');
    for (const [name, path] of Object.entries(PAGES)) {
      await open(path);
      await settled();
      await page.screenshot({ path: join(PICTURES, `${name}-${colorScheme}-${width}.png`), fullPage: true });
      const sideways = await page.locator('html').evaluate((root) => root.scrollWidth - root.clientWidth);
      expect([name, sideways, await violations()]).toEqual([name, 0, []]);
    }
  });
});

describe('signed in', () => {
  beforeEach(async () => {
    await signIn();
    await shows('Live events');
  });

  it('shows an event as it comes, with what it caused', async () => {
    await shows('live');
    await record({ id: 'grace' });
    const row = page.locator('.live li', { has: page.getByRole('link', { name: 'grace' }) }).first();
    await row.waitFor();
    expect(await row.textContent()).toContain(`${METRIC} +3`);
    await page.getByRole('button', { name: 'Pause' }).click();
    await record({ id: 'alan' });
    await page.getByRole('button', { name: 'Go on (1)' }).click();
    await page.getByRole('link', { name: 'alan' }).waitFor();
  });

  it('leads to the first event: a key, a snippet that works as it stands, and the event as it comes', async () => {
    await open('/first-event?metric=reviews');
    await shows('Waiting for an event of');
    expect(await page.locator('.snippet pre').textContent()).toContain('$LAUREL_API_KEY');
    await page.getByRole('button', { name: 'Create a key' }).click();
    const key = (await page.locator('.secret').textContent()) ?? '';
    for (const language of ['TypeScript', 'Python', 'curl']) {
      await page.getByRole('button', { name: language, exact: true }).click();
      expect(await page.locator('.snippet pre').textContent()).toContain(key);
    }
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy the curl snippet' }).click();
    await shows('Copied');
    const command = await evaluate('navigator.clipboard.readText()');
    const { stdout } = await run('sh', ['-c', `${command} --silent`]);
    expect(JSON.parse(stdout)).toMatchObject({ total: 1 });
    await shows('Your event is here.');
    expect(await page.locator('.arrived .timeline').textContent()).toContain('reviews +1');
    await page.screenshot({ path: join(PICTURES, 'first-event-arrived.png') });
    expect(await violations()).toEqual([]);
  });

  it('shows the numbers of a user that the API answers, and names as text', async () => {
    await open('/users/ada');
    await page.getByRole('heading', { level: 1, name: NASTY }).waitFor();
    await settled();
    const answer = await fetch(`${served.baseUrl}/admin/v1/users/ada`, { headers: { 'x-api-key': TEST_KEY } });
    const { metrics, points } = (await answer.json()) as {
      readonly metrics: readonly { readonly key: string; readonly total: number }[];
      readonly points: readonly { readonly system: string; readonly total: number }[];
    };
    const figures = await page
      .locator('.figure')
      .evaluateAll((all) =>
        all.map((one) => [one.querySelector('dt')?.textContent, one.querySelector('strong')?.textContent]),
      );
    for (const { key, total } of metrics) expect(figures).toContainEqual([key, String(total)]);
    for (const { system, total } of points) expect(figures).toContainEqual([system, String(total)]);
    const { rank } = (await (
      await fetch(`${served.baseUrl}/v1/users/ada/leaderboards/lessons-all`, { headers: { 'x-api-key': TEST_KEY } })
    ).json()) as { readonly rank: number };
    expect(figures).toContainEqual(['Rank', String(rank)]);
    expect(await page.getByRole('img', { name: /^Rank after each/ }).getAttribute('aria-label')).toContain(
      `rank ${rank} at the end`,
    );
    expect(await page.title()).not.toBe('1');
    expect(await page.locator('img').count()).toBe(0);
  });

  it('plans a draft, names what is wrong with it, and publishes it', async () => {
    await open('/configuration');
    await settled();
    const text = page.locator('#document');
    const document = await text.inputValue();
    await text.fill(document.replace(/^metrics:$/m, 'metrics:\n  - key: not a key'));
    await page.getByRole('button', { name: 'Plan' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('metrics[0].key');
    expect(complaints.splice(0)).toEqual([expect.stringContaining('422')]);
    await text.fill(document.replace(/^metrics:$/m, 'metrics:\n  - key: from-the-console\n    name: Added here'));
    await page.getByRole('button', { name: 'Plan' }).click();
    await page.getByRole('button', { name: 'Publish version 2' }).click();
    await shows('Version 2');
  });

  it('shows who stands around a user, and says of whom it has no place', async () => {
    await record({ id: 'bob', tz: 'Europe/London' });
    await open('/leaderboards?board=lessons-all&around=bob');
    await shows('asked for');
    const rows = page.getByRole('region', { name: 'Rankings around bob' }).getByRole('row');
    expect(await rows.filter({ hasText: 'asked for' }).textContent()).toContain('bob');
    expect(await rows.filter({ hasText: NASTY }).count()).toBe(1);
    await open('/leaderboards?board=lessons-all&around=nobody');
    await shows('“nobody” is not ranked in this run.');
  });

  it('computes the digest that the API answers', async () => {
    await open('/operations');
    await page.getByRole('button', { name: 'Compute' }).click();
    await page.getByRole('region', { name: 'Digest of each area' }).waitFor();
    const answer = await fetch(`${served.baseUrl}/admin/v1/digest`, { headers: { 'x-api-key': TEST_KEY } });
    const { lines } = (await answer.json()) as { readonly lines: readonly { readonly digest: string }[] };
    const shown = await page.getByRole('region', { name: 'Digest of each area' }).locator('code').allTextContents();
    expect(shown).toEqual(lines.map(({ digest }) => digest));
    expect(await violations()).toEqual([]);
  });

  it('creates a key, shows it once, and revokes it', async () => {
    await open('/keys');
    await page.getByLabel('Label, for people').fill('from the console');
    await page.getByRole('button', { name: 'Create key' }).click();
    const key = (await page.locator('.secret').textContent()) ?? '';
    const ask = async () =>
      (await fetch(`${served.baseUrl}/v1/achievements`, { headers: { 'x-api-key': key } })).status;
    expect(await ask()).toBe(200);
    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: 'Revoke from the console' }).click();
    await shows('revoked');
    expect(await ask()).toBe(401);
    await open('/keys');
    await settled();
    expect(await page.content()).not.toContain(key);
  });

  it('hides from a key that may only read what it may not do', async () => {
    const { key } = await served.keys.ring.create('default', { label: 'reader', scopes: ['read'] }, {});
    await enter({});
    await signIn(key);
    await shows('Live events');
    expect(await page.getByRole('link', { name: 'API keys' }).count()).toBe(0);
    await settled();
  });
});
