import { consoleSuite, USER, type Visit } from '@laurel/testing/console';
import { HTTP_SUITE_CONFIGURATION } from '@laurel/testing/http-suite';
import { TEST_KEY, serveInProcess } from './testing/serve-in-process.ts';

const suite = consoleSuite((connection) => serveInProcess(connection, HTTP_SUITE_CONFIGURATION));
const { ask, record } = suite;
let visit: Visit;
const at = (path: string) => (url: URL) => url.pathname === path;

beforeAll(async () => {
  await record({ id: 'ada', tz: 'Europe/London' }, 'reviews');
  for (let n = 0; n < 25; n++) await Promise.all([record({ id: USER }), n < 22 ? record({ id: 'ada' }) : null]);
});
beforeEach(async () => {
  visit = await suite.visit();
  await visit.signIn(TEST_KEY);
});
afterEach(async () => {
  await visit.page.unrouteAll({ behavior: 'ignoreErrors' });
  await visit.end();
});

it('the first-event page does not take an earlier event for a new one', async () => {
  await visit.open('/first-event?metric=reviews');
  await visit.shows('Waiting for an event of');
  const fed = visit.page.waitForResponse((response) => new URL(response.url()).pathname === '/admin/v1/live');
  await visit.page.reload();
  await fed;
  await visit.shows('Waiting for an event of');
  expect(await visit.page.getByText('Your event is here.').count()).toBe(0);
  await record({ id: 'ada' }, 'reviews');
  await visit.shows('Your event is here.');
});

it('the user page explains a rank by all its changes, page by page', async () => {
  await visit.openWhole(`/users/${USER}`);
  const card = visit.page.locator('.card', { has: visit.page.getByRole('heading', { name: 'Why this rank?' }) });
  await card.getByRole('button', { name: 'Show more' }).click();
  await card.locator('tbody tr').nth(24).waitFor();
  expect(await card.locator('tbody tr').count()).toBe(25);
});

it.each(['Pacific/Kiritimati', 'Etc/GMT+12'])(
  'the points chart ends with the current date of a user in %s',
  async (tz) => {
    const id = tz.replace('/', '-');
    await record({ id, tz });
    const asked = visit.page.waitForRequest(/event-summary/);
    await visit.openWhole(`/users/${id}`);
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: tz }).format(new Date());
    expect(new URL((await asked).url()).searchParams.get('end_date')).toBe(today);
  },
);

it('the list of users works with a time zone that the browser does not know', async () => {
  const user = (id: string, tz: string) => ({
    ...{ id, name: null, email: null, tz, created: '2026-01-01T00:00:00.000Z', subscribeToEmails: true, starts: null },
  });
  const users = [user('a', 'UTC'), user('b', 'America/Newly_Made')];
  await visit.page.route(at('/admin/v1/users'), (route) => route.fulfill({ json: { users, next: null } }));
  await visit.page.getByRole('link', { name: 'Users' }).click();
  await visit.page.getByRole('link', { name: 'b', exact: true }).waitFor();
  expect(visit.complaints()).toEqual([]);
});

it('the focus returns to the page after a grant', async () => {
  await visit.openWhole(`/users/${USER}`);
  await visit.page.getByRole('button', { name: 'Grant …' }).click();
  await visit.page.getByLabel(/^Points \(/).fill('5');
  await visit.page.getByLabel(/^Reason/).fill('Because.');
  await visit.page.keyboard.press('Enter');
  await visit.page.locator('.notice').waitFor();
  await visit.page.locator('#content:focus').waitFor();
});

it('a double click creates one key', async () => {
  await visit.page.route(at('/admin/v1/keys'), async (route) => {
    if (route.request().method() === 'POST') await new Promise((done) => setTimeout(done, 300));
    await route.continue();
  });
  await visit.openWhole('/keys');
  await visit.page.getByLabel('Label', { exact: true }).fill('double');
  await visit.page.getByRole('button', { name: 'Create key' }).dblclick();
  await visit.page.locator('.secret').waitFor();
  await visit.page.getByLabel('Label', { exact: true }).fill('single');
  await visit.page.getByRole('button', { name: 'Create key' }).click();
  await visit.page.getByRole('cell', { name: 'single' }).first().waitFor();
  const keys = (await ask('GET', '/admin/v1/keys')) as unknown as readonly { readonly label: string }[];
  expect(keys.map(({ label }) => label).filter((label) => ['double', 'single'].includes(label))).toHaveLength(2);
});

it('the first-event page shows curl for an unknown language', async () => {
  await visit.open('/first-event?in=toString');
  await visit.page.getByRole('heading', { level: 1, name: 'Your first event' }).waitFor();
  await visit.page.getByText(/^curl/).first().waitFor();
});

it('the rank chart contains a rank that changed after the last UTC day of its run', async () => {
  const [board] = (await ask('GET', '/v1/leaderboards')) as unknown as readonly { readonly key: string }[];
  const path = `/v1/users/ada/leaderboards/${board?.key}`;
  const standing = await ask('GET', path);
  // In Honolulu, the evening of the last day of a run is the next day in UTC.
  const history = [
    { timestamp: '2026-11-08T20:00:00.000Z', rank: 2, previousRank: null, value: 1, previousValue: null },
    { timestamp: '2026-11-09T08:00:00.000Z', rank: 1, previousRank: 2, value: 2, previousValue: 1 },
  ];
  const run = { rank: 1, value: 2, runStart: '2026-11-02', runEnd: '2026-11-08', history };
  await visit.page.route(at(path), (route) => route.fulfill({ json: { ...standing, ...run } }));
  await visit.openWhole('/users/ada');
  const figure = visit.page.getByRole('img', { name: /^Rank after each/ });
  const width = Number((await figure.getAttribute('viewBox'))?.split(' ')[2]);
  const places = await figure.locator('.dot').evaluateAll((dots) => dots.map((dot) => Number(dot.getAttribute('cx'))));
  expect(places).toHaveLength(2);
  expect(Math.max(...places)).toBeLessThanOrEqual(width);
});

it('the webhooks page shows no endpoint for an unknown id in the address', async () => {
  await ask('POST', '/admin/v1/webhooks', { url: 'http://127.0.0.1:9/some' });
  await visit.openWhole('/webhooks?endpoint=00000000-0000-4000-8000-000000000000');
  await visit.shows('There is no endpoint with this id.');
  expect(await visit.page.getByRole('button', { name: 'Rotate the secret' }).count()).toBe(0);
  await visit.page.getByRole('button', { name: 'http://127.0.0.1:9/some' }).click();
  await visit.page.getByRole('button', { name: 'Rotate the secret' }).waitFor();
});
