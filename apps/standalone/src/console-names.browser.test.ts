import {
  HOSTILE_CONFIGURATION,
  HOSTILE_NAMES,
  HOSTILE_NOTES,
  PAGES,
  startBrowser,
  Visit,
} from '@laurel/testing/console';
import type { Browser, Locator } from 'playwright-core';
import { TEST_KEY, serveOnFreshDatabase, type Served } from './testing/serve-in-process.ts';

/** Elements that a name must not become. */
const ELEMENTS =
  'img, iframe, object, embed, base, style, meta[http-equiv], script:not([src]), [onerror], [onmouseover]';

describe('hostile names', () => {
  let served: Served;
  let browser: Browser;
  let visit: Visit;

  beforeAll(async () => {
    served = await serveOnFreshDatabase(HOSTILE_CONFIGURATION);
    browser = await startBrowser();
    for (const [n, name] of HOSTILE_NAMES.entries()) {
      await post('/v1/metrics/m0/event', { user: { id: name, name }, value: n + 1 });
      await post('/admin/v1/keys', { label: name, scopes: ['read'] });
      await post('/admin/v1/webhooks', { url: 'http://127.0.0.1:9/', description: name });
    }
    for (const [n, reason] of HOSTILE_NOTES.entries()) {
      const user = HOSTILE_NAMES[n % HOSTILE_NAMES.length] ?? '';
      await post(`/admin/v1/users/${encodeURIComponent(user)}/grants/points`, { system: 'p0', amount: 1, reason });
    }
  });
  afterAll(async () => {
    await browser?.close();
    await served?.close();
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

  it.each([1_280, 360])(
    'appear as text on every page that shows them, and no page is wider than %i pixels',
    async (width) => {
      visit = await Visit.begin(browser, served.baseUrl, { viewport: { width, height: 900 } });
      await visit.signIn(TEST_KEY);
      for (const [page, { path, names, ofUser }] of Object.entries(PAGES)) {
        if (ofUser) continue;
        await visit.openWhole(path);
        const text = await content();
        for (const kind of names)
          for (const name of kind === 'reason' ? HOSTILE_NOTES : HOSTILE_NAMES)
            expect([page, kind, text]).toEqual([page, kind, expect.stringContaining(name)]);
        await isHarmless(page);
        if (width === 360) await visit.picture(`${page}-hostile-${width}`);
      }
    },
  );

  it('appear as text on the page of each such user', async () => {
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

  it.each(['%', '%ff'])('lead to an unknown user when %s is typed into the address', async (typed) => {
    visit = await Visit.begin(browser, served.baseUrl);
    await visit.signIn(TEST_KEY);
    await visit.openWhole(`/users/${typed}`);
    await visit.shows('There is no user with this id.');
    expect(await visit.page.locator('h1').textContent()).toBe(typed);
    expect(visit.complaints()).toEqual([expect.stringContaining('404')]);
  });

  it('do not reverse the text beside them', async () => {
    const TURNED = '\u202Eturned';
    await post('/v1/metrics/m0/event', { user: { id: TURNED, email: 'turned@example.com' }, value: 5 });
    visit = await Visit.begin(browser, served.baseUrl);
    await visit.signIn(TEST_KEY);
    const { page } = visit;
    const leftOf = async (place: Locator) => (await place.boundingBox())?.x ?? Number.NaN;
    const inOrder = async (first: Locator, second: Locator) =>
      expect(await leftOf(first)).toBeLessThan(await leftOf(second));
    const row = page.locator('.live > li', { hasText: 'turned' }).first();
    await inOrder(row.getByRole('link'), row.locator('strong'));
    await visit.openWhole(`/users/${encodeURIComponent(TURNED)}`);
    const about = page.locator('.page-head p');
    await inOrder(about.locator('code'), about.getByText('turned@example.com', { exact: true }));
    await visit.openWhole(`/users?find=${encodeURIComponent(`${TURNED} not`)}`);
    const sentence = page.locator('.empty strong');
    await inOrder(sentence, sentence.locator('bdi'));
    const ends =
      'const range = document.createRange(); range.selectNodeContents(document.querySelector(".empty strong").lastChild); range.getBoundingClientRect().x';
    expect(Number(await visit.evaluate(ends))).toBeGreaterThan(await leftOf(sentence.locator('bdi')));
  });

  it('appear as text in the live feed', async () => {
    visit = await Visit.begin(browser, served.baseUrl, { viewport: { width: 360, height: 900 } });
    await visit.signIn(TEST_KEY);
    await visit.page.locator('.chip', { hasText: /^live$/ }).waitFor();
    for (const name of HOSTILE_NAMES) await post('/v1/metrics/m0/event', { user: { id: name }, value: 77 });
    const rows = visit.page.locator('.live > li', { hasText: /\b77 / });
    await rows.nth(HOSTILE_NAMES.length - 1).waitFor();
    expect(await rows.locator('a').allTextContents()).toEqual(HOSTILE_NAMES.toReversed());
    await isHarmless('overview');
  });

  describe('in a dialog or a form', () => {
    const WORST = HOSTILE_NAMES[0] ?? '';
    const GUEST = `${WORST} 2`;
    const button = (name: string) => visit.page.getByRole('button', { name, exact: true });
    const dialog = () => visit.page.getByRole('dialog');

    async function isText(where: string, expected: readonly string[]): Promise<void> {
      await visit.settled();
      const text = await content();
      for (const one of expected) expect([where, text]).toEqual([where, expect.stringContaining(one)]);
      await visit.picture(`${where}-hostile-360`);
      await isHarmless(where);
    }

    beforeAll(async () => {
      await post('/v1/metrics/m0/event', { user: { id: GUEST, name: WORST }, value: 1 });
      await post(`/admin/v1/users/${encodeURIComponent(GUEST)}/grants/points`, {
        ...{ system: 'p0', amount: 1, reason: WORST },
      });
    });
    beforeEach(async () => {
      visit = await Visit.begin(browser, served.baseUrl, { viewport: { width: 360, height: 900 } });
      await visit.signIn(TEST_KEY);
    });

    it('appear as text in the grant dialog', async () => {
      await visit.openWhole(`/users/${encodeURIComponent(GUEST)}`);
      await button('Grant …').click();
      await isText('grant', [`Grant to ${WORST}`, ...HOSTILE_NAMES]);
      await dialog().getByLabel('What').selectOption('Complete an achievement');
      await isText('grant-achievement', HOSTILE_NAMES.slice(1));
    });

    it('appear as text in the retraction dialog', async () => {
      await visit.openWhole(`/users/${encodeURIComponent(GUEST)}`);
      await button('Retract …').first().click();
      await dialog().getByRole('row').nth(1).waitFor();
      await isText('retract', [`given by hand (${WORST})`]);
    });

    it('appear as text in the erasure dialog and on the certificate', async () => {
      await visit.openWhole(`/users/${encodeURIComponent(GUEST)}`);
      await button('Erase …').click();
      await dialog().getByRole('row').nth(1).waitFor();
      await isText('erase', [`Erase ${GUEST}`, `to confirm: ${GUEST}`]);
      await dialog()
        .getByLabel(/^Reason/)
        .fill('Asked for it.');
      await dialog()
        .getByLabel(/^Type the id/)
        .fill(GUEST);
      await button('Erase for good').click();
      await visit.shows(`${GUEST} was erased.`);
      await isText('erased', [GUEST]);
    });

    it('appear as text in the details of an endpoint', async () => {
      await post('/admin/v1/webhooks', { url: `http://127.0.0.1:9/?${WORST}`, description: WORST });
      await visit.openWhole('/webhooks');
      await visit.page.getByRole('button', { name: /^http:.*onerror/ }).click();
      await isText('endpoint', [WORST]);
      expect(await visit.page.locator('.facts dd').first().textContent()).toContain('onerror');
    });

    it('appear as text in the difference between two configurations', async () => {
      const document = JSON.parse(HOSTILE_CONFIGURATION) as { metrics: object[] };
      const metrics = document.metrics.map((metric, n) => ({ ...metric, name: HOSTILE_NAMES.at(n - 1) }));
      await post('/admin/v1/configurations', { document: { ...document, metrics } });
      await visit.openWhole('/configuration');
      await visit.page.getByRole('region', { name: 'Lines that differ' }).waitFor();
      await isText('difference', []);
      const lines = await visit.page.locator('.difference .added').allTextContents();
      for (const text of ['<img src=x onerror=', '<script>document.title=1</script>', '<iframe src='])
        expect(lines).toContainEqual(expect.stringContaining(text));
    });
  });
});
