import {
  createKey,
  describeUserPage,
  Keyboard,
  openDraft,
  PAGES,
  plan,
  publish,
  revokeKey,
  showsEachOnce,
  signOut,
  startBrowser,
  USER,
  Visit,
} from '@laurel/testing/console';
import { caughtUp, eventually, startTestTopology, type Topology } from '@laurel/testing/distributed';
import { HTTP_SUITE_CONFIGURATION, type Json } from '@laurel/testing/http-suite';
import type { Browser } from 'playwright-core';
import { parse } from 'yaml';

const ALL_AREAS = 'users,streaks,achievements,points,leaderboards';
/** The message of a browser if the service is down. */
const GONE = /net::ERR_|status of 50[234]/;
const LOOKS = [
  { title: 'light-1280', options: { colorScheme: 'light' } },
  { title: 'dark-360', options: { colorScheme: 'dark', viewport: { width: 360, height: 900 } } },
] as const;
const withMetric = (metric: string) => HTTP_SUITE_CONFIGURATION.replace('\nmetrics:', `\nmetrics:\n  - ${metric}`);

describe('the console of a distributed topology', () => {
  let topology: Topology;
  let browser: Browser;
  let visit: Visit;

  const request = (method: string, path: string, body?: object): Promise<globalThis.Response> =>
    fetch(`${topology.url}${path}`, {
      ...{ method, headers: { 'x-api-key': topology.apiKey, 'content-type': 'application/json' } },
      ...(body && { body: JSON.stringify(body) }),
    });
  const ask = async (method: string, path: string, body?: object): Promise<Json> => {
    const answer = await request(method, path, body);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const record = (id: string, metric = 'lessons', value = 3) =>
    request('POST', `/v1/metrics/${metric}/event`, { user: { id, name: `Name of ${id}` }, value });
  const isAnswered = (key: string, expected: number) => async () =>
    (await fetch(`${topology.url}/v1/achievements`, { headers: { 'x-api-key': key } })).status === expected;

  beforeAll(async () => {
    topology = await startTestTopology({ configuration: HTTP_SUITE_CONFIGURATION, steps: [ALL_AREAS] });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await topology?.stop();
  });
  beforeEach(() => begin({}));
  afterEach(async () => {
    expect(visit.complaints()).toEqual([]);
    await visit.end();
  });

  async function begin(options: Parameters<typeof Visit.begin>[2]): Promise<void> {
    await visit?.end();
    visit = await Visit.begin(browser, topology.url, options);
    await visit.signIn(topology.apiKey);
  }

  /** Opens pages one after the other: each is whole, and nothing that it asks for is refused. */
  async function openEvery(names: readonly string[], picture: string): Promise<void> {
    const refused: string[] = [];
    visit.page.on('response', (response) => {
      if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
    });
    for (const name of names) {
      await visit.openWhole(PAGES[name]!.path);
      await visit.picture(`${name}-${picture}`);
      expect([name, await visit.sideways(), await visit.violations()]).toEqual([name, 0, []]);
    }
    expect(refused).toEqual([]);
  }

  it('signs in and out', async () => {
    await signOut(visit);
    expect(await visit.context.cookies()).toEqual([]);
  });

  it.each(LOOKS)('shows every page before the first event ($title)', async ({ title, options }) => {
    await begin(options);
    const names = Object.keys(PAGES).filter((name) => PAGES[name]?.ofUser === undefined);
    await openEvery(names, `empty-distributed-${title}`);
  });

  describe('with events', () => {
    beforeAll(async () => {
      expect((await record(USER)).status).toBe(201);
      await caughtUp(topology);
    });

    it.each(LOOKS)('shows every page ($title)', async ({ title, options }) => {
      await begin(options);
      await openEvery(Object.keys(PAGES), `distributed-${title}`);
    });

    it('shows every event once in an open page while the query gateway is killed and restarted', async () => {
      const recorded: string[] = [];
      const recordNext = async () => {
        const id = `stays-${recorded.length}`;
        expect((await record(id)).status).toBe(201);
        recorded.push(id);
      };
      const users = visit.page.locator('.live li a', { hasText: /^stays-/ });
      await visit.page.locator('.chip', { hasText: /^live$/ }).waitFor();
      for (let n = 0; n < 3; n++) await recordNext();
      await showsEachOnce(users, recorded);
      const gateways = topology.of('query-gateway');
      for (const gateway of gateways) await gateway.kill();
      for (let n = 0; n < 2; n++) await recordNext();
      for (const gateway of gateways) await gateway.start();
      await recordNext();
      await showsEachOnce(users, recorded);
      expect(visit.complaints().filter((text) => !GONE.test(text))).toEqual([]);
    });

    describeUserPage({ visit: () => visit, ask, settled: () => caughtUp(topology) });

    it('shows a new event in the live feed and explains a number', async () => {
      await visit.openWhole('');
      expect((await record('watched')).status).toBe(201);
      await visit.shows('watched');
      await visit.openWhole(`/users/${USER}`);
      const award = visit.page.locator('#why-points').getByRole('row').filter({ hasText: 'lessons 3' }).first();
      expect((await award.locator('td').allTextContents()).slice(-2)).toEqual([expect.stringMatching(/30$/), '30']);
    });

    it('shows each service with its instances and its lag', async () => {
      await visit.openWhole('');
      const { services } = (await (await request('GET', '/admin/v1/status')).json()) as Json;
      expect(services.length).toBeGreaterThan(1);
      expect(await visit.rows('Services and how far they are behind')).toEqual(
        services.map(({ service }: Json) => [service, '1', '0 messages', 'running']),
      );
      await visit.shows(/^\d+ query gateways? running\.$/);
    });

    it('offers no rebuild and says why', async () => {
      await visit.openWhole('/operations');
      await visit.shows('run `rebuild` of the service that owns them');
      expect(await visit.page.getByRole('button', { name: 'Rebuild all' }).count()).toBe(0);
    });

    it('grants points by hand', async () => {
      const { page } = visit;
      const total = async () => ((await (await request('GET', `/v1/users/${USER}/points/xp`)).json()) as Json).total;
      const before = await total();
      await visit.openWhole(`/users/${USER}`);
      await page.getByRole('button', { name: 'Grant …' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Points (negative takes points away)').fill('7');
      await dialog.getByLabel('Reason (recorded in the log)').fill('It was not counted.');
      await dialog.getByRole('button', { name: 'Grant', exact: true }).click();
      await dialog.waitFor({ state: 'hidden' });
      await eventually(topology, 'the points are there', async () => (await total()) === before + 7);
    });

    it('erases a user once the id is typed and shows the certificate', async () => {
      const { page } = visit;
      expect((await record('gone')).status).toBe(201);
      await caughtUp(topology);
      await visit.openWhole('/users/gone');
      await page.getByRole('button', { name: 'Erase …' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('row').nth(1).waitFor();
      await dialog.getByLabel(/^Reason/).fill('Asked for it.');
      await dialog.getByLabel(/^Type the id/).fill('gone');
      await visit.picture('erase-distributed');
      await dialog.getByRole('button', { name: 'Erase for good' }).click();
      await visit.shows('gone was erased.');
      await eventually(
        topology,
        'nobody knows the user',
        async () => (await request('GET', '/v1/users/gone')).status === 404,
      );
    });

    it('refuses to retract an event and says why in the dialog', async () => {
      await visit.openWhole(`/users/${USER}`);
      await visit.page.getByRole('button', { name: 'Retract …' }).first().click();
      await visit.shows('Events are corrected where one process applies them');
      const retract = visit.page.getByRole('dialog').getByRole('button', { name: 'Retract', exact: true });
      expect(await retract.isDisabled()).toBe(true);
      expect(visit.complaints()).toEqual([expect.stringContaining('422')]);
    });
  });

  it('has no link to webhooks and says why', async () => {
    await visit.shows('Not shown: Webhooks.');
    expect(await visit.page.getByRole('link', { name: 'Webhooks' }).count()).toBe(0);
    await visit.openWhole('/webhooks');
    await visit.shows('This page is not shown here.');
  });

  it('marks errors in a configuration and publishes a valid one to every service', async () => {
    const { write } = await openDraft(visit);
    await write(withMetric('{ key: not a key, name: Wrong }'));
    await plan(visit);
    await visit.page.locator('.cm-lintRange-error', { hasText: 'not a key' }).first().waitFor();
    expect(visit.complaints()).toEqual([expect.stringContaining('422')]);
    await write(withMetric('{ key: from-the-console, name: Added here }'));
    await publish(visit);
    await eventually(
      topology,
      'the metric counts',
      async () => (await record(USER, 'from-the-console')).status === 201,
    );
  });

  it('refuses to publish over a version that somebody else published after the plan', async () => {
    const { write } = await openDraft(visit);
    await write(withMetric('{ key: mine, name: Mine }'));
    await plan(visit);
    const publishing = visit.page.getByRole('button', { name: /^Publish version/ });
    await publishing.waitFor();
    const document = parse(withMetric('{ key: theirs, name: Theirs }')) as unknown;
    expect((await request('POST', '/admin/v1/configurations', { document })).status).toBe(201);
    const refusal = visit.page.waitForResponse(
      (response) => response.url().endsWith('/admin/v1/configurations') && response.status() >= 400,
    );
    await publishing.click();
    expect((await (await refusal).json()) as Json).toMatchObject({ status: 422, code: 'stale_plan' });
    expect(visit.complaints()).toEqual([expect.stringContaining('422')]);
    await visit.shows('Another version was published meanwhile.');
    await visit.page.locator('.list', { hasText: 'metrics.theirs' }).waitFor();
    await publishing.click();
    await visit.page.locator('.difference .removed', { hasText: 'theirs' }).first().waitFor();
  });

  it('creates a key that works at once and revokes it', async () => {
    const label = 'from the console';
    const key = await createKey(visit, label);
    await eventually(topology, 'the key is known', isAnswered(key, 200));
    await revokeKey(visit, label);
    await eventually(topology, 'the key is refused', isAnswered(key, 401));
  });

  it('supports the whole path from sign-in to sign-out with the keyboard alone', async () => {
    const user = { id: 'by-the-keyboard', name: 'Name of by-the-keyboard' };
    expect((await record(user.id)).status).toBe(201);
    await caughtUp(topology);
    const keyboard = new Keyboard(visit);
    await keyboard.signOut();
    await keyboard.signIn(topology.apiKey);
    await keyboard.findUser(user);
    await keyboard.grant(7);
    const total = async () => (await ask('GET', `/v1/users/${user.id}/points/xp`)).total;
    await eventually(topology, 'the points are there', async () => (await total()) === 37);
    await keyboard.goTo('Configuration');
    const { version } = await ask('GET', '/admin/v1/configurations/current');
    expect(await keyboard.publishMetric('by-the-keyboard')).toBe(version + 1);
    expect(visit.complaints()).toEqual([expect.stringContaining('422')]);
    await eventually(
      topology,
      'the metric counts',
      async () => (await record(user.id, 'by-the-keyboard')).status === 201,
    );
    await keyboard.goTo('API keys');
    const key = await keyboard.createKey('by the keyboard');
    await eventually(topology, 'the key is known', isAnswered(key, 200));
    await keyboard.revokeKey('by the keyboard');
    await eventually(topology, 'the key is refused', isAnswered(key, 401));
    await keyboard.signOut();
    expect(await visit.context.cookies()).toEqual([]);
  });
});
