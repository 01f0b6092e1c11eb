import { consoleSuite, USER, type Visit } from '@laurel/testing/console';
import { HTTP_SUITE_CONFIGURATION, type Json } from '@laurel/testing/http-suite';
import pg from 'pg';
import { TEST_KEY, serveInProcess } from './testing/serve-in-process.ts';

const suite = consoleSuite((connection) => serveInProcess(connection, HTTP_SUITE_CONFIGURATION));
const { ask, record } = suite;
let visit: Visit;

/** Changes what the service answers to a request of the page, as another installation would answer it. */
const answering = (path: string, change: (answer: Json) => Json): Promise<unknown> =>
  visit.page.route(
    ({ pathname }) => pathname === path,
    async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: change(await response.json()) });
    },
  );

const cardOf = (title: string | RegExp) =>
  visit.page.locator('.card', { has: visit.page.getByRole('heading', { level: 2, name: title }) });

beforeEach(async () => {
  visit = await suite.visit();
  await visit.signIn(TEST_KEY);
});
afterEach(async () => {
  // Violations of the page's policy are reported while requests are still answered.
  await visit.page.unrouteAll({ behavior: 'ignoreErrors' });
  expect(visit.complaints()).toEqual([]);
  await visit.end();
});

/** The page shown is accessible and no wider than the window, also on a phone. */
async function isWhole(picture: string): Promise<void> {
  for (const width of [1_280, 360]) {
    await visit.page.setViewportSize({ width, height: 900 });
    await visit.picture(`${picture}-${width}`);
    expect([width, await visit.sideways(), await visit.violations()]).toEqual([width, 0, []]);
  }
}

describe('the overview', () => {
  it('shows the events per second', async () => {
    const rate = visit.page.locator('.figure', { hasText: 'Events per second' }).locator('strong');
    await rate.getByText('0', { exact: true }).waitFor();
    for (let n = 0; n < 20; n++) await record({ id: USER });
    await rate.getByText(/^[0-9.]*[1-9]$/).waitFor();
  });

  it('says “no answer” instead of “ready” when the service does not answer', async () => {
    const health = visit.page.locator('.figure', { hasText: 'Health' });
    await health.getByText('ready', { exact: true }).waitFor();
    await visit.page.route(
      ({ pathname }) => pathname === '/admin/v1/status',
      (route) => route.abort(),
    );
    await health.getByText('no answer', { exact: true }).waitFor();
    expect(await health.getByText('ready', { exact: true }).count()).toBe(0);
    expect(new Set(visit.complaints())).toEqual(new Set([expect.stringContaining('ERR_FAILED')]));
  });

  describe('the live feed', () => {
    const rows = () => visit.page.locator('.live > li');
    /** Newest first: the user and the event. */
    const shown = () =>
      rows().evaluateAll((all) =>
        all.map((row) => ['a', 'strong'].map((name) => row.querySelector(name)?.textContent)),
      );
    /** Until a row of the list before is gone. */
    const leaves = (text: string) => rows().getByText(text, { exact: true }).first().waitFor({ state: 'detached' });
    const shows = (user: string, event: string) =>
      rows()
        .filter({ has: visit.page.getByRole('link', { name: user, exact: true }) })
        .getByText(event, { exact: true })
        .waitFor();
    const filterBy = async (label: 'User' | 'Metric', text: string) => {
      await visit.page.getByLabel(label, { exact: true }).fill(text);
      await visit.page.keyboard.press('Enter');
    };

    beforeAll(async () => {
      for (const id of ['filter-a', 'filter-b'])
        for (const metric of ['words', 'reviews']) await record({ id }, metric, 2);
    });

    it('filters by user and by metric and keeps the filter in its address', async () => {
      await shows('filter-b', '2 Reviews');
      await filterBy('User', 'filter-a');
      await leaves('filter-b');
      await shows('filter-a', '2 Reviews');
      // New events are filtered, too. The feed is in order: once the last event is there, the others were left out.
      await record({ id: 'filter-b' }, 'words', 3);
      await record({ id: 'filter-a' }, 'words', 3);
      await shows('filter-a', '3 Words');
      expect(await shown()).toEqual(['3 Words', '2 Reviews', '2 Words'].map((event) => ['filter-a', event]));
      expect(new URL(visit.page.url()).search).toBe('?user=filter-a');
      await filterBy('Metric', 'reviews');
      await leaves('3 Words');
      await shows('filter-a', '2 Reviews');
      expect(await shown()).toEqual([['filter-a', '2 Reviews']]);
      expect(new URL(visit.page.url()).search).toBe('?user=filter-a&metric=reviews');
      await isWhole('overview-filtered');
      await filterBy('User', '');
      await shows('filter-b', '2 Reviews');
      await record({ id: 'filter-b' }, 'words', 4);
      await record({ id: 'filter-b' }, 'reviews', 4);
      await shows('filter-b', '4 Reviews');
      const events = await rows().locator('strong').allTextContents();
      expect(new Set(events.map((event) => event.split(' ')[1]))).toEqual(new Set(['Reviews']));
      await filterBy('Metric', '');
      await shows('filter-b', '4 Words');
      expect(new URL(visit.page.url()).search).toBe('');
    });

    it('starts with the filters in its address and says when nothing matches them', async () => {
      await visit.openWhole('?user=filter-a&metric=words');
      await shows('filter-a', '2 Words');
      const users = await rows().locator('a').allTextContents();
      expect(new Set(users)).toEqual(new Set(['filter-a']));
      await visit.openWhole('?user=nobody-at-all');
      await visit.page.locator('.chip', { hasText: /^live$/ }).waitFor();
      await visit.shows('No recent events of this user');
      expect(await rows().count()).toBe(0);
      await isWhole('overview-nothing');
      await visit.page.getByRole('button', { name: 'Show all events' }).click();
      await shows('filter-a', '2 Words');
      expect(new URL(visit.page.url()).search).toBe('');
    });

    it('keeps the other filters when one is refused, and limits their length', async () => {
      await visit.openWhole(`?user=${'x'.repeat(1_021)}`);
      await visit.page.locator('.chip', { hasText: /^not here$/ }).waitFor();
      expect(visit.complaints()).toEqual([expect.stringContaining('422')]);
      expect(await visit.page.getByLabel('Metric', { exact: true }).getAttribute('maxlength')).toBe('255');
      await filterBy('User', 'filter-a');
      await shows('filter-a', '2 Words');
    });

    it('retries after 429 and says where events are missing', async () => {
      const answers = [
        { status: 429, headers: { 'retry-after': '1' }, json: { detail: 'Too many requests.' } },
        { status: 200, contentType: 'text/event-stream', body: 'event: resync\ndata: {}\n\n' },
      ];
      const isFeed = ({ pathname }: URL) => pathname === '/admin/v1/live';
      for (const answer of answers.toReversed())
        await visit.page.route(isFeed, (route) => route.fulfill(answer), { times: 1 });
      await visit.open('?user=filter-a');
      await visit.shows('Events from that time are not shown');
      await shows('filter-a', '2 Words');
      expect(visit.complaints()).toEqual([expect.stringContaining('429')]);
    });
  });

  it('shows an open import with its reason and its progress until it ends', async () => {
    const timestamp = new Date(Date.now() - 3_600_000).toISOString();
    const history = (count: number) =>
      ask(
        'POST',
        '/admin/v1/metrics/events',
        Array.from({ length: count }, () => ({ metric: 'words', user: { id: 'imported' }, value: 1, timestamp })),
      );
    const card = cardOf('Import under way');
    await visit.openWhole('');
    expect(await card.count()).toBe(0);
    await ask('POST', '/admin/v1/imports', { reason: 'history of the old service' });
    await card.getByText('0 events since').waitFor();
    await history(3);
    await card.getByText('3 events since').waitFor();
    await card.getByText('history of the old service').waitFor();
    const { open } = await ask('GET', '/admin/v1/imports');
    expect(open.events).toBe(3);
    const instants = await card
      .locator('time')
      .evaluateAll((times) => times.map((one) => one.getAttribute('datetime')));
    expect(instants).toEqual([open.openedAt, open.lastReceivedAt]);
    await visit.shows('an import is open');
    await isWhole('overview-import');
    await history(2);
    await card.getByText('5 events since').waitFor();
    await ask('POST', '/admin/v1/imports/finish', {});
    await card.waitFor({ state: 'detached' });
  });

  it('shows each service of a distributed topology with its lag', async () => {
    const runs = { members: 2, behind: 0, stalledSeconds: 0, stopped: [] };
    await answering('/admin/v1/status', (status) => ({
      ...status,
      queryGateways: 2,
      services: [
        { ...runs, service: 'user-service' },
        { ...runs, service: 'streak-service', behind: 1_200, stalledSeconds: 12.3 },
        { ...runs, service: 'achievements-service', members: 0, behind: null },
        { ...runs, service: 'points-service', stopped: [{ partition: 3, offset: 7, reason: 'it is damaged' }] },
      ],
    }));
    await visit.openWhole('');
    await visit.shows('2 query gateways running.');
    expect(await visit.rows('Services and how far they are behind')).toEqual([
      ['user-service', '2', '0 messages', 'running'],
      ['streak-service', '2', '1,200 messages', 'no progress for 12 s'],
      ['achievements-service', '0', 'unknown', 'not running'],
      ['points-service', '2', '0 messages', 'halted in partition 3: it is damaged'],
    ]);
    await isWhole('overview-services');
  });

  it('shows the progress of a rebuild and why a rebuild failed', async () => {
    let rebuild = { state: 'running', applied: 1_500, head: 6_000, error: null as string | null };
    await answering('/admin/v1/status', (status) => ({ ...status, rebuild }));
    await visit.openWhole('');
    await cardOf('Rebuild').getByText('1,500 of 6,000 events').waitFor();
    await isWhole('overview-rebuild');
    await visit.openWhole('/operations');
    await cardOf('Rebuild').getByText('1,500 of 6,000 events').waitFor();
    await isWhole('operations-rebuild');
    await visit.openWhole('');
    rebuild = { ...rebuild, state: 'failed', error: 'the log is damaged' };
    await cardOf('Rebuild').getByText('the log is damaged').waitFor();
    rebuild = { ...rebuild, state: 'done', error: null };
    await cardOf('Rebuild').waitFor({ state: 'detached' });
  });
});

describe('the list of users', () => {
  const find = async (by: string, text: string) => {
    await visit.page.getByLabel('Find users by').selectOption(by);
    await visit.page.locator('#find').fill(text);
  };
  const users = () => visit.page.getByRole('region', { name: 'Users' }).locator('tbody');
  const onlyFinds = (id: string) => users().locator('tr:only-child').getByText(id, { exact: true }).waitFor();

  beforeAll(async () => {
    await record({ id: 'found-1', name: 'Sofja Kowalewskaja', email: 'sofja@example.org' });
    await record({ id: 'found-2', name: 'Sophie Germain', email: 'sophie@example.org' });
  });
  afterEach(() => suite.served().service.userSearch.turn(false));

  it('finds users by e-mail and by name and keeps the search in its address', async () => {
    await suite.served().service.userSearch.turn(true);
    await visit.openWhole('/users');
    await find('email', 'Sofja@example.org');
    await onlyFinds('found-1');
    await find('name', 'germ');
    await onlyFinds('found-2');
    await isWhole('users-by-name');
    expect(new URL(visit.page.url()).search).toBe('?by=name&find=germ');
    await visit.openWhole('/users?by=email&find=sophie@example.org');
    await onlyFinds('found-2');
    await find('name', 'nobody');
    await visit.shows('No name has a word that begins with “nobody”.');
    await find('id', 'found-');
    await users().locator('tr:nth-child(2):last-child').getByText('found-2').waitFor();
    await users().getByText('found-1').waitFor();
  });

  it('says which setting to switch on when there is no index of users', async () => {
    await visit.openWhole('/users?by=name&find=germ');
    await visit.shows(
      'Finding users by name needs the index of users, which is off: start the service with LAUREL_USER_SEARCH=on.',
    );
    expect(await visit.page.getByRole('alert').count()).toBe(0);
    expect(visit.complaints()).toEqual([expect.stringContaining('422')]);
    await isWhole('users-without-index');
  });
});

describe('the explanations on the user page', () => {
  const THINNED = { complete: false, preparing: true };

  it('show how often an award fired, for how much, what capped it and under which version', async () => {
    await record({ id: 'emmy' }, 'words', 25);
    await record({ id: 'emmy' }, 'words', 10);
    await visit.openWhole('/users/emmy?points=capped');
    expect((await visit.rows('Awards of capped')).map((cells) => cells.slice(1))).toEqual([
      ['metric · words 10cut by the capfired once for +10 · version 1', '+5', '25'],
      ['metric · words 25fired 2 times for +20 · version 1', '+20', '20'],
    ]);
    await isWhole('why-points');
  });

  it('say that only stored awards are shown, and load again', async () => {
    await record({ id: 'many' });
    let thinned = true;
    await answering('/admin/v1/users/many/explain/points/xp', (answer) =>
      thinned
        ? {
            ...answer,
            ...THINNED,
            entries: answer.entries.map((entry: Json) => ({ ...entry, times: null, nominal: null })),
          }
        : answer,
    );
    await visit.openWhole('/users/many?points=xp');
    const card = cardOf('Why this many xp?');
    await card.getByText(/being applied again.*without how often each trigger fired/).waitFor();
    expect(await card.getByText('fired').count()).toBe(1);
    expect(await visit.violations()).toEqual([]);
    thinned = false;
    await card
      .getByText(/fired 3 times for \+30/)
      .first()
      .waitFor();
    expect(await card.getByText('being applied again').count()).toBe(0);
  });

  it('show what was reached in each period of the streak', async () => {
    await record({ id: 'ada' });
    await visit.openWhole('/users/ada');
    const streak = cardOf('Streak');
    const reached = 'lessons 3 of 1, reviews 0 of 1.5';
    const titles = await streak.locator('.calendar [title]').evaluateAll((days) => days.map(({ title }) => title));
    expect(titles.at(-1)).toContain(reached);
    await streak.getByRole('button', { name: 'As a table' }).click();
    expect((await visit.rows('Periods of the streak, newest first')).at(0)?.at(-1)).toBe(reached);
    await isWhole('why-streak');
  });

  it('name the event that met a period', async () => {
    await record({ id: 'mia' });
    await record({ id: 'mia' }, 'reviews', 2);
    await visit.openWhole('/users/mia');
    const streak = cardOf('Streak');
    await streak.getByRole('button', { name: 'As a table' }).click();
    await streak.getByRole('button', { name: /^Which event met / }).click();
    await streak.getByText('2 Reviews').waitFor();
    await isWhole('why-streak');
  });

  it('say that only stored periods are shown', async () => {
    await record({ id: 'ada' });
    await answering('/admin/v1/users/ada/explain/streak', ({ periods, ...answer }) => ({
      ...{ ...answer, complete: false, ends: null },
      periods: periods.map((period: Json) => ({ ...period, conditions: null, at: null })),
    }));
    await visit.openWhole('/users/ada');
    await cardOf('Streak')
      .getByText(/too many events.*without what was reached/)
      .waitFor();
  });

  it('say why nothing counted on a board and how far a user is behind the last place', async () => {
    await record({ id: 'first' }, 'spent', 5);
    await record({ id: 'second' }, 'spent', 3);
    await visit.openWhole('/users/second?board=podium');
    await visit.shows(
      'The leaderboard ranks at most 1 user, and this user comes after them. The last place has 5: 2 more.',
    );
    await visit.openWhole('/users/second?board=words-all');
    await visit.shows('Nothing but 0 was recorded for this user of what the leaderboard ranks by.');
  });
});

describe('a leaderboard', () => {
  it('shows the place of an erased user without a link', async () => {
    await record({ id: 'leaves' }, 'lessons', 500);
    const path = '/admin/v1/users/leaves?boards=anonymous';
    const { previewId } = await ask('DELETE', `${path}&preview=true`);
    await ask('DELETE', `${path}&previewId=${previewId}&reason=asked`);
    await visit.openWhole('/leaderboards?board=lessons-all');
    const place = visit.page.getByRole('region', { name: 'Rankings' }).getByRole('row', { name: 'an erased user' });
    expect(await place.locator('td').allTextContents()).toEqual(['1', 'an erased user', '500']);
    expect(await place.getByRole('link').count()).toBe(0);
    await isWhole('leaderboards-erased');
  });
});

describe('badges hosted elsewhere', () => {
  const badges = () =>
    visit.page
      .getByRole('link', { name: /^Badge of/ })
      .evaluateAll((links) =>
        links.map((link) => [link.getAttribute('aria-label'), link.getAttribute('href'), link.getAttribute('rel')]),
      );

  it('become links only when they are web addresses', async () => {
    await answering('/v1/achievements', ([first, second, ...others]) => [
      ...[first, { ...second, badgeUrl: 'javascript:alert(1)' }, ...others],
    ]);
    await visit.openWhole('/achievements');
    expect(await badges()).toEqual([['Badge of First lesson', 'https://example.org/first.png', 'noreferrer noopener']]);
    await isWhole('achievements-badges');
    await answering('/v1/points/xp/level-summary', (counts: Json[]) =>
      counts.map((one) => ({
        ...one,
        level: one.level && { ...one.level, badgeUrl: 'https://example.org/level.png' },
      })),
    );
    await visit.openWhole('/points?system=xp');
    expect((await badges()).map(([name, href]) => [name, href])).toEqual([
      ['Badge of xp', 'https://example.org/xp.png'],
      ['Badge of Bronze', 'https://example.org/level.png'],
      ['Badge of Silver', 'https://example.org/level.png'],
    ]);
    await isWhole('points-badges');
  });
});

describe('achievements', () => {
  const placed = (all: Json[]) =>
    all.map((one, place) => ({
      ...one,
      ...[{ group: 'learning', tier: 2 }, { group: 'learning' }, { tier: 0 }][place],
    }));
  const places = (within: string) => visit.page.locator(`${within} .place`).allTextContents();

  it('have their group and tier, where they have them', async () => {
    await record({ id: USER });
    await answering('/v1/achievements', placed);
    await visit.openWhole('/achievements');
    expect(await places('table')).toEqual(['learning, tier 2', 'learning', 'tier 0']);
    await isWhole('achievements-placed');
    await answering(`/v1/users/${USER}/achievements`, placed);
    await visit.openWhole(`/users/${USER}`);
    expect(await places('.list')).toEqual(['learning, tier 2', 'learning', 'tier 0']);
    await isWhole('user-achievements-placed');
  });

  it('can be granted even if they are hidden', async () => {
    await record({ id: USER });
    const hidden = { key: 'owl', name: 'Night owl', hidden: true, trigger: { type: 'api' } };
    await answering('/admin/v1/configurations/current', ({ document, ...rest }: Json) => ({
      ...rest,
      document: { ...document, achievements: [...document.achievements, hidden] },
    }));
    await visit.openWhole(`/users/${USER}`);
    await visit.page.getByRole('button', { name: 'Grant …', exact: true }).click();
    const dialog = visit.page.getByRole('dialog');
    await dialog.locator('select').first().selectOption('achievement');
    const options = await dialog.locator('select').last().locator('option').allTextContents();
    expect(options).toContain('Night owl');
    expect(new Set(options).size).toBe(options.length);
  });
});

describe('the operations page', () => {
  it('rebuilds all areas and shows the progress while the service goes on, without changes', async () => {
    const card = cardOf('Rebuild');
    const progress = () =>
      card.getByRole('progressbar').evaluate((bar) => [bar.getAttribute('value'), bar.getAttribute('max')]);
    await record({ id: 'before' });
    const before = await ask('GET', '/admin/v1/digest');
    await visit.openWhole('/operations');
    const log = new pg.Client(suite.database().connection);
    await log.connect();
    // The rebuild waits for its first record, at most as long as its statements may take.
    await log.query('begin; lock table events in access exclusive mode');
    visit.page.once('dialog', (dialog) => void dialog.accept());
    await visit.page.getByRole('button', { name: 'Rebuild all' }).click();
    await card.getByText('running', { exact: true }).waitFor();
    const { head } = await ask('GET', '/admin/v1/status');
    await card.getByText(`0 of ${head.toLocaleString('en')} events`).waitFor();
    expect(await progress()).toEqual(['0', String(head)]);
    await log.query('commit');
    await log.end();
    await card.getByText('done', { exact: true }).waitFor();
    await card.getByText(`${head.toLocaleString('en')} of ${head.toLocaleString('en')} events`).waitFor();
    expect(await progress()).toEqual([String(head), String(head)]);
    expect((await ask('GET', '/admin/v1/digest')).lines).toEqual(before.lines);
    await isWhole('operations-rebuilt');
  });

  it('says why a rebuild is not available and offers none', async () => {
    const reason = 'Areas cannot be rebuilt from here.';
    await answering('/console/session', (answer) => ({
      ...answer,
      missing: [{ path: '/admin/v1/rebuilds', reason }],
    }));
    await answering('/admin/v1/status', (status) => ({ ...status, rebuild: null }));
    await visit.openWhole('/operations');
    await cardOf('Rebuild').getByText(reason).waitFor();
    expect(await visit.page.getByRole('button', { name: 'Rebuild all' }).count()).toBe(0);
    await isWhole('operations-without-rebuild');
  });
});
