import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import {
  consoleSuite,
  createKey,
  describeUserPage,
  describeWebhooks,
  Keyboard,
  openDraft,
  PAGES,
  plan,
  publish,
  revokeKey,
  signOut,
  USER,
  type Visit,
} from '@laurel/testing/console';
import { HTTP_SUITE_CONFIGURATION, type Json } from '@laurel/testing/http-suite';
import { parse } from 'yaml';
import { TEST_KEY, serveInProcess } from './testing/serve-in-process.ts';

const NAME = 'Mary of <b>Somerville</b>';
/** Of everything that counts somewhere. */
const VALUES = { lessons: 12, reviews: 1.5, words: 25, spent: 3 };
const METRIC = 'lessons';

const run = promisify(execFile);

const suite = consoleSuite((connection) => serveInProcess(connection, HTTP_SUITE_CONFIGURATION));
const { ask, record } = suite;
let visit: Visit;

const statusWith = async (key: string): Promise<number> =>
  (await fetch(`${suite.served().baseUrl}/v1/achievements`, { headers: { 'x-api-key': key } })).status;

beforeEach(async () => {
  visit = await suite.visit();
});
afterEach(async () => {
  expect(visit.complaints()).toEqual([]);
  await visit.end();
});

async function begin(options: Parameters<typeof Visit.begin>[2]): Promise<void> {
  await visit.end();
  visit = await suite.visit(options);
}

async function recordHistory(): Promise<void> {
  await ask('PUT', `/v1/users/${USER}`, { tz: 'Europe/Paris' });
  for (const [metric, value] of Object.entries(VALUES))
    await record({ id: USER, name: NAME, tz: 'Europe/London' }, metric, value);
}

describe('the console before the first event', () => {
  const names = Object.keys(PAGES).filter((name) => PAGES[name]?.ofUser === undefined);

  it.each(['light', 'dark'] as const)(
    'is accessible and fits the window on every page in %s colours',
    async (colorScheme) => {
      await begin({ colorScheme, viewport: { width: 360, height: 900 } });
      await visit.signIn(TEST_KEY);
      for (const name of names) {
        await visit.openWhole(PAGES[name]?.path ?? '');
        await visit.picture(`${name}-empty-${colorScheme}-360`);
        expect([name, await visit.sideways(), await visit.violations()]).toEqual([name, 0, []]);
      }
    },
  );

  describe.each(['light', 'dark'] as const)('in %s colours on a phone', (colorScheme) => {
    beforeEach(() => begin({ colorScheme, viewport: { width: 360, height: 900 } }));

    const isWhole = async (name: string): Promise<void> => {
      await visit.picture(`${name}-${colorScheme}-360`);
      expect([name, await visit.sideways(), await visit.violations()]).toEqual([name, 0, []]);
    };

    it('shows the profile of a user without events', async () => {
      await ask('PUT', '/v1/users/quiet', { name: 'Quiet' });
      await visit.signIn(TEST_KEY);
      await visit.openWhole('/users/quiet');
      await visit.page.getByRole('heading', { level: 1, name: 'Quiet' }).waitFor();
      await isWhole('user-empty');
    });

    it('asks everybody to sign in and says when a page does not exist', async () => {
      await visit.open('/no-such-page');
      await visit.page.getByLabel('API key').waitFor();
      await isWhole('sign-in');
      await visit.signIn(TEST_KEY);
      await visit.openWhole('/no-such-page');
      await visit.shows('There is no such page');
      await isWhole('not-found');
    });

    it('tells the owner of an ingest key that it has no access to the console', async () => {
      const { key } = await suite.served().keys.ring.create('default', { label: 'recorder', scopes: ['ingest'] }, {});
      await visit.enterKey(key);
      await visit.shows('This key has no access to the console.');
      await isWhole('nothing-here');
      for (const name of names) {
        await visit.openWhole(PAGES[name]?.path ?? '');
        await visit.shows('This key has no access to the console.');
        expect(await visit.page.locator('main a').count()).toBe(0);
      }
    });

    it('opens the first permitted page for a key without read access and explains the others', async () => {
      const { key } = await suite.served().keys.ring.create('default', { label: 'keeper', scopes: ['admin'] }, {});
      await visit.enterKey(key);
      await visit.page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
      expect(new URL(visit.page.url()).pathname).toBe('/console/users');
      await visit.openWhole('/metrics');
      await visit.shows('It needs the scope read.');
      await isWhole('not-here');
      await visit.page.getByRole('main').getByRole('link', { name: 'Users' }).click();
      await visit.page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
      await visit.openWhole('/users/somebody');
      await visit.shows('It needs the scope read.');
      expect(await visit.page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    });
  });
});

describe('the console with events', () => {
  beforeAll(recordHistory);

  describe('when somebody signs in', () => {
    it('refuses a wrong key with the reason, accepts the right one and signs out', async () => {
      await visit.enterKey('not a key of this service at all');
      await visit.shows('The API key is unknown');
      // A browser reports every answer that is an error.
      expect(visit.complaints()).toEqual([expect.stringContaining('401')]);
      await visit.signIn(TEST_KEY);
      await signOut(visit);
      expect(await visit.context.cookies()).toEqual([]);
    });

    it('accepts the link that the command line prints, once', async () => {
      const { url } = await ask('POST', '/admin/v1/console-links', {});
      await visit.page.goto(`${suite.served().baseUrl}/console${new URL(String(url)).hash}`);
      await visit.shows('Live events');
      expect(visit.page.url()).not.toContain('token');
    });

    it('says why a used link signs nobody in, and keeps an existing session', async () => {
      const { url } = await ask('POST', '/admin/v1/console-links', {});
      const { hash } = new URL(String(url));
      await visit.page.goto(`${suite.served().baseUrl}/console${hash}`);
      await visit.shows('Live events');
      await visit.open('/not-the-same-page');
      await visit.open(hash);
      await visit.shows('Live events');
      expect(visit.complaints()).toEqual([expect.stringContaining('401')]);
      await begin({});
      await visit.open(hash);
      await visit.page.getByRole('alert').getByText(/link/).waitFor();
      await visit.page.getByLabel('API key').waitFor();
      expect(visit.complaints()).toEqual([expect.stringContaining('401')]);
    });
  });

  describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
    it.each([1_280, 360])('is accessible and fits the window on every page at a width of %i', async (width) => {
      await begin({ colorScheme, viewport: { width, height: 900 } });
      await visit.signIn(TEST_KEY);
      for (const [name, { path }] of Object.entries(PAGES)) {
        await visit.openWhole(path);
        await visit.picture(`${name}-${colorScheme}-${width}`);
        expect([name, await visit.sideways(), await visit.violations()]).toEqual([name, 0, []]);
      }
    });
  });

  describe('when signed in', () => {
    beforeEach(() => visit.signIn(TEST_KEY));

    it('shows an event with its effects as it arrives', async () => {
      const { page } = visit;
      await page.locator('.chip', { hasText: /^live$/ }).waitFor();
      await record({ id: 'grace' });
      const row = page.locator('.live li', { has: page.getByRole('link', { name: 'grace' }) }).first();
      await row.waitFor();
      expect(await row.textContent()).toContain('grace 3 Lessons');
      const caused = await row.locator('.chip').allTextContents();
      expect(caused).toEqual(expect.arrayContaining(['First lesson completed', '30 Experience for Lessons, now 30']));
      await page.getByRole('button', { name: 'Pause' }).click();
      await record({ id: 'alan' });
      await page.getByRole('button', { name: 'Resume (1)' }).click();
      await page.getByRole('link', { name: 'alan' }).waitFor();
    });

    it('guides to the first event: it creates a key, shows a working snippet and the event', async () => {
      const { page } = visit;
      await visit.open('/first-event?metric=reviews');
      await visit.shows('Waiting for an event of');
      const snippet = page.locator('.snippet pre');
      expect(await snippet.textContent()).toContain('$LAUREL_API_KEY');
      await page.getByRole('button', { name: 'Create a key' }).click();
      const key = (await page.locator('.secret').textContent()) ?? '';
      for (const language of ['TypeScript', 'Python', 'curl']) {
        await page.getByRole('button', { name: language, exact: true }).click();
        await snippet.getByText(key).waitFor();
      }
      await visit.context.grantPermissions(['clipboard-read', 'clipboard-write']);
      const copied = async (language: string) => {
        await page.getByRole('button', { name: language, exact: true }).click();
        await page.getByRole('button', { name: `Copy the ${language} snippet` }).click();
        await visit.shows('Copied');
        return visit.evaluate('navigator.clipboard.readText()');
      };
      const { stdout } = await run('sh', ['-c', `${await copied('curl')} --silent`]);
      expect(JSON.parse(stdout)).toMatchObject({ total: 1 });
      const module = ['--no-warnings', '--input-type=module', '--eval', await copied('TypeScript')];
      expect((await run(process.execPath, module)).stdout).toMatch(/^201 [^]*total: 2,/);
      expect((await run('python3', ['-c', await copied('Python')])).stdout).toMatch(/^201 .*'total': 3,/);
      await visit.shows('Your event is here.');
      expect(await page.locator('.arrived .timeline').textContent()).toContain('1 Reviews');
      await visit.picture('first-event-arrived');
      expect(await visit.violations()).toEqual([]);
    });

    it('waits for an event that arrives after the first-event page was opened', async () => {
      const { page } = visit;
      await record({ id: 'ada' }, 'words', 2);
      await visit.open('/first-event?metric=words');
      await visit.shows('Waiting for an event of');
      expect(await page.locator('.arrived').count()).toBe(0);
      await record({ id: 'ada' }, 'words', 7);
      await visit.shows('Your event is here.');
      expect(await page.locator('.arrived .timeline').textContent()).toContain('7 Words');
    });

    describe('on the configuration page', () => {
      const editor = () => visit.page.locator('.cm-content');
      const withMetric = (metric: string) => HTTP_SUITE_CONFIGURATION.replace(/^metrics:$/m, `metrics:\n  - ${metric}`);
      let write: (text: string) => Promise<void>;
      beforeEach(async () => {
        ({ write } = await openDraft(visit));
      });

      it('marks errors in the draft, plans it and publishes it', async () => {
        await write(withMetric('{ key: not a key, name: Wrong }'));
        await plan(visit);
        await visit.page.locator('.cm-lintRange-error', { hasText: 'not a key' }).first().waitFor();
        expect(visit.complaints()).toEqual([expect.stringContaining('422')]);
        await visit.shows('The draft cannot be published as it is:');
        await visit.page.getByRole('button', { name: 'text.metrics[0].key' }).click();
        await visit.page.locator('.cm-activeLine', { hasText: 'not a key' }).waitFor();
        expect(await visit.page.locator('.cm-content:focus').count()).toBe(1);
        await visit.picture('configuration-wrong');
        await write(withMetric('{ key: from-the-console, name: Added here }'));
        expect(await publish(visit)).toBe(2);
        await visit.page.locator('.difference .added', { hasText: 'from-the-console' }).waitFor();
        expect(await visit.violations()).toEqual([]);
        await visit.picture('configuration-difference');
      });

      it('refuses to publish over a version that somebody else published after the plan', async () => {
        await write(withMetric('{ key: mine, name: Mine }'));
        await plan(visit);
        const publishing = visit.page.getByRole('button', { name: /^Publish version/ });
        await publishing.waitFor();
        const document = parse(withMetric('{ key: theirs, name: Theirs }')) as unknown;
        await ask('POST', '/admin/v1/configurations', { document });
        await publishing.click();
        await visit.shows('Another version was published meanwhile.');
        expect(visit.complaints()).toEqual([expect.stringContaining('422')]);
        await visit.page.locator('.list', { hasText: 'metrics.theirs' }).waitFor();
        await publishing.click();
        await visit.page.locator('.difference .removed', { hasText: 'theirs' }).first().waitFor();
      });

      it('shows the text as written and keeps a changed comment without a new version', async () => {
        const { version } = await ask('GET', '/admin/v1/configurations/current');
        const commented = withMetric('{ key: commented, name: Commented } # why we count it');
        await write(commented);
        expect(await publish(visit)).toBe(version + 1);
        expect(await ask('GET', '/admin/v1/configurations/current')).toMatchObject({ text: commented });
        await editor().getByText('# why we count it').waitFor();
        const changed = commented.replace('why we count it', 'nobody knows why');
        await write(changed);
        await plan(visit);
        await visit.page.getByRole('button', { name: 'Keep this text' }).click();
        await visit.page.getByText('Your unpublished draft.').waitFor({ state: 'detached' });
        expect(await ask('GET', '/admin/v1/configurations/current')).toMatchObject({
          version: version + 1,
          text: changed,
        });
        await visit.openWhole('/configuration');
        await editor().getByText('# nobody knows why').waitFor();
        expect(await visit.violations()).toEqual([]);
      });

      it('loads an earlier version as a draft, plans it and publishes it again', async () => {
        const earlier = await ask('GET', '/admin/v1/configurations/current');
        await write(withMetric('{ key: too-much, name: Too much }'));
        const later = await publish(visit);
        const row = visit.page
          .getByRole('region', { name: 'Published versions, newest first' })
          .locator('tr', { has: visit.page.getByRole('cell', { name: String(earlier.version), exact: true }) });
        await row.getByRole('button', { name: 'Use as draft' }).click();
        await visit.page.getByRole('heading', { name: `Version ${earlier.version}`, exact: true }).waitFor();
        expect(new URL(visit.page.url()).search).toBe(`?version=${earlier.version}`);
        await plan(visit);
        const removed = visit.page.locator('.list li', { hasText: 'metrics.too-much' });
        await removed.getByText('removed', { exact: true }).waitFor();
        await visit.picture('configuration-earlier');
        expect(await visit.violations()).toEqual([]);
        expect(await publish(visit)).toBe(later + 1);
        const current = await ask('GET', '/admin/v1/configurations/current');
        expect([current.version, current.document]).toEqual([later + 1, earlier.document]);
      });

      it('keeps a draft across pages and sign-ins and discards it only after asking', async () => {
        const { page } = visit;
        const link = (name: string) => page.getByRole('link', { name, exact: true });
        const unpublished = page.getByText('Your unpublished draft.');
        const answers = (accept: boolean) =>
          new Promise<string>((done) =>
            page.once('dialog', (dialog) => {
              done(dialog.type());
              void (accept ? dialog.accept() : dialog.dismiss());
            }),
          );
        await write('version: 1 # mine');
        await link('Streaks').click();
        await page.getByRole('heading', { level: 1, name: 'Streaks' }).waitFor();
        await link('Configuration').click();
        await unpublished.waitFor();
        expect(await editor().innerText()).toBe('version: 1 # mine');
        await signOut(visit);
        await page.fill('#key', TEST_KEY);
        await page.keyboard.press('Enter');
        await unpublished.waitFor();
        expect(await editor().innerText()).toBe('version: 1 # mine');
        const refused = answers(false);
        const first = page.getByRole('row', { name: /^1\b/ }).getByRole('button', { name: 'Use as draft' });
        await first.click();
        expect([await refused, await editor().innerText()]).toEqual(['confirm', 'version: 1 # mine']);
        const asked = answers(false);
        await page.close({ runBeforeUnload: true });
        expect(await asked).toBe('beforeunload');
        const taken = answers(true);
        await first.click();
        expect(await taken).toBe('confirm');
        await page.getByRole('heading', { name: 'Version 1', exact: true }).waitFor();
        expect([await editor().innerText(), await unpublished.count()]).toEqual([
          expect.stringContaining('lessons'),
          0,
        ]);
      });

      it('says that a plan belongs to an earlier draft and offers to plan again', async () => {
        await write(withMetric('{ key: planned, name: Planned }'));
        await plan(visit);
        await visit.page.getByRole('button', { name: /^Publish version/ }).waitFor();
        await write(withMetric('{ key: planned-anew, name: Planned }'));
        await visit.shows('The draft has changed since.');
        expect(await visit.page.getByRole('button', { name: /^Publish version/ }).count()).toBe(0);
        expect(await visit.violations()).toEqual([]);
        await visit.page.getByRole('button', { name: 'Plan again' }).click();
        await visit.page.locator('.list', { hasText: 'metrics.planned-anew' }).waitFor();
        expect(await visit.page.getByText('The draft has changed since.').count()).toBe(0);
      });

      it('keeps text that is pasted before the page has drawn the previous text', async () => {
        await write('');
        await visit.evaluate(PASTE_TWICE);
        expect(await editor().innerText()).toBe('first second');
      });

      it('completes keys from the schema and the draft and lets the keyboard leave the editor', async () => {
        const chosen = async (text: string, option: string) => {
          await write(text);
          await visit.page.keyboard.press('Control+Space');
          await visit.page.getByRole('option', { name: option }).click();
          return editor().innerText();
        };
        const metrics = 'version: 1\nmetrics: [{ key: runs, name: Runs }]\n';
        expect(await chosen(`${metrics}streak:\n  frequency: `, 'weekly')).toContain('frequency: weekly');
        expect(await chosen(`${metrics}str`, 'streak')).toContain('streak: ');
        const trigger = `${metrics}achievements:\n  - { key: far, name: Far, trigger: { type: metric, metric: `;
        expect(await chosen(trigger, 'runs')).toContain('type: metric, metric: runs');
        await visit.page.keyboard.press('Tab');
        expect(await visit.page.locator('.cm-content:focus').count()).toBe(1);
        await visit.page.keyboard.press('Escape');
        await visit.page.keyboard.press('Tab');
        expect(await visit.page.locator('.cm-content:focus').count()).toBe(0);
      });
    });

    it('shows the neighbours of a user and says when a user has no place', async () => {
      await record({ id: 'bob', tz: 'Europe/London' });
      await visit.open('/leaderboards?board=lessons-all&around=bob');
      await visit.shows('searched');
      const rows = visit.page.getByRole('region', { name: 'Rankings around bob' }).getByRole('row');
      expect(await rows.filter({ hasText: 'searched' }).textContent()).toContain('bob');
      expect(await rows.filter({ hasText: NAME }).count()).toBe(1);
      await visit.open('/leaderboards?board=lessons-all&around=nobody');
      await visit.shows('“nobody” is not ranked in this run.');
    });

    it('counts days, streaks and runs as the API does', async () => {
      const figure = (label: string) =>
        visit.page.locator('.figure', { has: visit.page.getByText(label, { exact: true }) }).locator('strong');
      await visit.open('/metrics?metric=lessons&days=30');
      await visit.shows('Events by day');
      await visit.shows('The last one is today in UTC');
      const today = new Date(Date.now()).toISOString().slice(0, 10);
      const from = new Date(Date.now() - 29 * 86_400_000).toISOString().slice(0, 10);
      const { days } = await ask('GET', `/admin/v1/days?from=${from}&to=${today}`);
      const lessons = days.reduce((sum: number, day: Json) => sum + (day.metrics.lessons?.events ?? 0), 0);
      expect(lessons).toBeGreaterThan(0);
      expect(await figure('Events').textContent()).toBe(String(lessons));
      await visit.open('/leaderboards?board=lessons-all');
      await visit.page.getByRole('region', { name: 'Runs, newest first' }).waitFor();
      const { runs } = await ask('GET', '/admin/v1/leaderboards/lessons-all/runs');
      const row = visit.page.getByRole('region', { name: 'Runs, newest first' }).locator('tbody tr').first();
      expect(await row.locator('.number').textContent()).toBe(String(runs[0].participants));
      const { lengths } = await ask('GET', '/admin/v1/streaks/survival');
      await visit.openWhole('/streaks');
      expect(await figure('Begun').textContent()).toBe(String(lengths[0].reached));
    });

    it('computes the digest that the API answers', async () => {
      await visit.open('/operations');
      await visit.page.getByRole('button', { name: 'Compute' }).click();
      const areas = visit.page.getByRole('region', { name: 'Digest of each area' });
      await areas.waitFor();
      const { lines } = await ask('GET', '/admin/v1/digest');
      expect(await areas.locator('code').allTextContents()).toEqual(lines.map(({ digest }: Json) => digest));
      expect(await visit.violations()).toEqual([]);
    });

    describe('on the page of a user', () => {
      const totals = (id: string) => ask('GET', `/admin/v1/users/${id}`);
      const dialog = () => visit.page.locator('dialog');
      const button = (name: string) => visit.page.getByRole('button', { name, exact: true });

      it('grants everything that the configuration offers and revokes it again', async () => {
        await record({ id: 'lise' });
        await visit.openWhole('/users/lise');
        const give = async (kind: string, press: string) => {
          await button('Grant …').click();
          await dialog().locator('select').first().selectOption(kind);
          await visit.page.getByLabel(/^Reason/).fill('It was not counted.');
          await visit.picture(`grant-${kind}`);
          expect(await visit.violations()).toEqual([]);
          await dialog().getByRole('button', { name: press, exact: true }).click();
        };
        await give('freezes', 'Grant');
        await visit.shows('1 freeze granted.');
        expect(await totals('lise')).toMatchObject({ streak: { freezes: 2 } });
        await give('excused', 'Grant');
        await visit.shows('excused.');
        await give('achievement', 'Grant');
        await visit.shows('Achievement ten-lessons completed.');
        await button('Why? Ten lessons').click();
        await visit.shows('by hand: It was not counted.');
        await give('revocation', 'Revoke');
        await visit.shows('Achievement first-lesson revoked.');
        const { achievements } = await totals('lise');
        expect(achievements).toEqual([expect.objectContaining({ key: 'ten-lessons' })]);
      });

      it('restores the streak that ended last', async () => {
        const events = [30, 29].flatMap((days) =>
          ['lessons', 'reviews'].map((metric) => ({
            ...{ metric, user: { id: 'rosa' }, value: 2 },
            timestamp: new Date(Date.now() - days * 86_400_000).toISOString(),
          })),
        );
        await ask('POST', '/admin/v1/metrics/events', events);
        await ask('POST', '/admin/v1/imports/finish', {});
        expect((await totals('rosa')).streak.length).toBe(0);
        await visit.openWhole('/users/rosa');
        await button('Grant …').click();
        await dialog().getByLabel('What').selectOption('Restore the streak that ended last');
        await visit.page.getByLabel(/^Reason/).fill('Our fault.');
        await visit.picture('grant-streak');
        expect(await visit.violations()).toEqual([]);
        await dialog().getByRole('button', { name: 'Grant', exact: true }).click();
        await visit.shows('Streak restored.');
        await visit.page
          .locator('.figure', { hasText: /^Streak/ })
          .getByText('2', { exact: true })
          .waitFor();
        expect((await totals('rosa')).streak.length).toBe(2);
      });

      it('retracts an event as its preview says, and restores it', async () => {
        await record({ id: 'emmy' });
        await record({ id: 'emmy' });
        await visit.openWhole('/users/emmy');
        await button('Retract …').first().click();
        const row = dialog()
          .getByRole('row', { name: new RegExp(`^${METRIC}`) })
          .first();
        await row.waitFor();
        expect(await row.locator('td').allTextContents()).toEqual([`${METRIC} `, '6', '3']);
        await visit.picture('retract');
        expect(await visit.violations()).toEqual([]);
        await visit.page.getByLabel(/^Reason/).fill('It was sent twice.');
        await dialog().getByRole('button', { name: 'Retract', exact: true }).click();
        await visit.page.locator('.chip', { hasText: 'retracted' }).waitFor();
        expect(await totals('emmy')).toMatchObject({ metrics: [{ key: METRIC, total: 3 }] });
        await button('Undo …').click();
        await visit.page.getByLabel(/^Reason/).fill('It was not.');
        await dialog().getByRole('button', { name: 'Undo', exact: true }).click();
        await visit.page.locator('.chip', { hasText: 'undone' }).waitFor();
        expect(await totals('emmy')).toMatchObject({ metrics: [{ key: METRIC, total: 6 }] });
      });

      it('erases a user only when the id is typed, and shows a certificate', async () => {
        await record({ id: 'gone' });
        await visit.openWhole('/users/gone');
        await button('Erase …').click();
        await dialog().getByRole('row').nth(1).waitFor();
        await visit.page.getByLabel(/^Reason/).fill('Asked for it.');
        const erase = button('Erase for good');
        await visit.page.getByLabel(/^Type the id/).fill('gon');
        expect(await erase.isDisabled()).toBe(true);
        await visit.page.getByLabel(/^Type the id/).fill('gone');
        await visit.picture('erase');
        expect(await visit.violations()).toEqual([]);
        await erase.click();
        await visit.shows('gone was erased.');
        await visit.picture('erased');
        expect(await visit.violations()).toEqual([]);
        await expect(totals('gone')).rejects.toThrow('404');
      });
    });

    it('creates a key, shows it once and revokes it', async () => {
      const label = 'from the console';
      const key = await createKey(visit, label);
      expect(await statusWith(key)).toBe(200);
      await revokeKey(visit, label);
      expect(await statusWith(key)).toBe(401);
      await visit.openWhole('/keys');
      expect(await visit.page.content()).not.toContain(key);
    });

    it('hides from a read-only key what the key may not do', async () => {
      const { key } = await suite.served().keys.ring.create('default', { label: 'reader', scopes: ['read'] }, {});
      await begin({});
      await visit.signIn(key);
      expect(await visit.page.getByRole('link', { name: 'API keys' }).count()).toBe(0);
      await visit.shows('Configuration, API keys, Webhooks, Audit, Operations. They need the scope admin.');
      await visit.shows('Users. It needs the scope support or admin.');
      await visit.openWhole('/keys');
      await visit.shows('This page is not shown here.');
      for (const path of ['/points?system=energy', '/metrics', '/achievements', '/streaks', '/leaderboards']) {
        await visit.openWhole(path);
        expect([path, await visit.page.getByRole('alert').count()]).toEqual([path, 0]);
      }
      await visit.openWhole('/points?system=energy');
      await visit.page.getByRole('heading', { level: 2, name: 'Users by points' }).waitFor();
      expect(await visit.violations()).toEqual([]);
    });

    it('lets a support desk find a user and grant, and offers neither erasure nor operations', async () => {
      const key = { label: 'desk', scopes: ['read', 'support'] as const };
      const desk = await suite.served().keys.ring.create('default', { ...key, scopes: [...key.scopes] }, {});
      await begin({});
      await visit.signIn(desk.key);
      await visit.shows(
        'First event, Configuration, API keys, Webhooks, Audit, Operations. They need the scope admin.',
      );
      await visit.openWhole(`/users?find=${USER}`);
      await visit.page.getByRole('main').getByRole('link', { name: USER }).click();
      await visit.page.getByRole('button', { name: 'Retract …' }).first().waitFor();
      expect(await visit.page.getByRole('button', { name: 'Erase …' }).count()).toBe(0);
      await visit.page.getByRole('button', { name: 'Grant …' }).click();
      const dialog = visit.page.getByRole('dialog');
      await dialog.getByLabel(/^Points \(/).fill('7');
      await dialog.getByLabel(/^Reason/).fill('Because.');
      await dialog.getByRole('button', { name: 'Grant', exact: true }).click();
      await visit.shows(/^7 \w+ granted\.$/);
      expect(await visit.violations()).toEqual([]);
    });

    it('shows a user to a read-only key without any buttons that change something', async () => {
      const { key } = await suite.served().keys.ring.create('default', { label: 'reader', scopes: ['read'] }, {});
      await begin({});
      await visit.signIn(key);
      await visit.openWhole(`/users/${USER}`);
      await visit.page.getByRole('heading', { level: 1, name: NAME }).waitFor();
      await visit.page.getByRole('heading', { level: 2, name: 'Timeline' }).waitFor();
      expect(await visit.page.getByRole('alert').count()).toBe(0);
      expect(await visit.page.getByRole('button', { name: /^(Grant|Erase|Retract) …/ }).count()).toBe(0);
    });
  });

  it('supports the whole path from sign-in to sign-out with the keyboard alone', async () => {
    const keyboard = new Keyboard(visit);
    await keyboard.signIn(TEST_KEY);
    const { points } = await ask('GET', `/admin/v1/users/${USER}`);
    const { total } = points.find(({ system }: Json) => system === 'xp');
    await keyboard.findUser({ id: USER, name: NAME });
    await keyboard.grant(7);
    await visit.page.locator('.figure', { hasText: `xp${total + 7}` }).waitFor();
    await keyboard.goTo('Configuration');
    const { version } = await ask('GET', '/admin/v1/configurations/current');
    expect(await keyboard.publishMetric('by-the-keyboard')).toBe(version + 1);
    expect(visit.complaints()).toEqual([expect.stringContaining('422')]);
    expect(await record({ id: USER }, 'by-the-keyboard')).toMatchObject({ total: 3 });
    await keyboard.goTo('API keys');
    const key = await keyboard.createKey('by the keyboard');
    expect(await statusWith(key)).toBe(200);
    await keyboard.revokeKey('by the keyboard');
    expect(await statusWith(key)).toBe(401);
    await keyboard.signOut();
    expect(await visit.context.cookies()).toEqual([]);
  });

  describe('when signed in with every scope', () => {
    beforeEach(() => visit.signIn(TEST_KEY));
    describeUserPage({ visit: () => visit, ask, settled: () => Promise.resolve() });
  });

  describe('when signed in, with outcomes', () => {
    beforeEach(() => visit.signIn(TEST_KEY));
    describeWebhooks({ visit: () => visit, ask, settled: () => Promise.resolve() });
  });
});

/** The page draws itself in a microtask; the effects of that wait for the next frame, and the second text comes before it. */
const PASTE_TWICE = `(async () => {
  const content = document.querySelector('.code').shadowRoot.querySelector('.cm-content');
  const paste = (text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    content.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  };
  paste('first ');
  for (let tick = 0; tick < 10; tick++) await null;
  paste('second');
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100)));
})()`;
