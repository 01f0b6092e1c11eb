import { consoleSuite, type Visit } from '@laurel/testing/console';
import { HTTP_SUITE_CONFIGURATION } from '@laurel/testing/http-suite';
import { TEST_KEY, serveInProcess } from './testing/serve-in-process.ts';

const suite = consoleSuite((connection) => serveInProcess(connection, HTTP_SUITE_CONFIGURATION));
const { ask, record } = suite;
let visit: Visit;
const at = (path: string) => (url: URL) => url.pathname === path;
const button = (name: string) => visit.page.getByRole('button', { name, exact: true });
const dialog = () => visit.page.getByRole('dialog');

/** On the page of a user: fills in the dialog. */
async function openGrant(points: number): Promise<void> {
  await button('Grant …').click();
  await dialog()
    .getByLabel(/^Points \(/)
    .fill(String(points));
  await dialog()
    .getByLabel(/^Reason/)
    .fill('Because.');
}
const grant = () => dialog().getByRole('button', { name: 'Grant', exact: true }).click();

beforeAll(() => record({ id: 'ada' }));
beforeEach(async () => {
  visit = await suite.visit();
  await visit.signIn(TEST_KEY);
});
afterEach(async () => {
  await visit.page.unrouteAll({ behavior: 'ignoreErrors' });
  await visit.end();
});

describe('text typed into a filter', () => {
  it('stays while events arrive', async () => {
    const user = visit.page.getByLabel('User', { exact: true });
    await visit.page.locator('.chip', { hasText: /^live$/ }).waitFor();
    await user.focus();
    await visit.page.keyboard.type('grac');
    await record({ id: 'somebody' });
    await visit.page.locator('.live').getByText('somebody').first().waitFor();
    await visit.page.keyboard.type('e');
    expect(await user.inputValue()).toBe('grace');
  });

  it('stays while the rankings load', async () => {
    const [board] = (await ask('GET', '/v1/leaderboards')) as readonly { readonly key: string }[];
    let answer: () => void = () => undefined;
    const typed = new Promise<void>((resolve) => (answer = resolve));
    await visit.page.route(at(`/v1/leaderboards/${board?.key}`), async (route) => {
      await typed;
      await route.continue();
    });
    await visit.page.getByRole('link', { name: 'Leaderboards' }).click();
    const around = visit.page.getByLabel('Around user');
    await around.focus();
    await visit.page.keyboard.type('grace');
    answer();
    await visit.settled();
    expect(await around.inputValue()).toBe('grace');
  });

  it('disappears when the filter is removed', async () => {
    const user = visit.page.getByLabel('User', { exact: true });
    await user.fill('nobody-at-all');
    await visit.page.keyboard.press('Enter');
    await visit.shows('No recent events of this user');
    await visit.page.keyboard.type('x');
    await visit.page.keyboard.press('Backspace');
    await visit.page.getByRole('button', { name: 'Show all events' }).click();
    await visit.page.locator('.live').getByText('ada').first().waitFor();
    expect(await user.inputValue()).toBe('');
  });
});

it('the page of another user does not mention a grant', async () => {
  await record({ id: 'eve' });
  await visit.openWhole('/users/ada');
  await visit.page.getByRole('link', { name: 'Users' }).click();
  await visit.page.getByRole('link', { name: 'eve', exact: true }).click();
  await openGrant(7);
  await grant();
  await visit.shows(/7 .* granted\./);
  await visit.evaluate('history.go(-2)');
  await visit.page.getByRole('heading', { level: 1, name: /ada/ }).waitFor();
  await visit.settled();
  expect(await visit.page.getByText(/granted\.$/).allTextContents()).toEqual([]);
});

describe('a dialog of the console', () => {
  it('stays open until the service has accepted or refused the request', async () => {
    await visit.openWhole('/users/ada');
    await openGrant(7);
    let answer: () => void = () => undefined;
    const left = new Promise<void>((resolve) => (answer = resolve));
    const problem = { type: 'about:blank', title: 'Unavailable', status: 503, code: 'unavailable', detail: 'Not now.' };
    await visit.page.route(at('/admin/v1/users/ada/grants/points'), async (route) => {
      await left;
      await route.fulfill({ status: 503, contentType: 'application/problem+json', body: JSON.stringify(problem) });
    });
    await grant();
    await dialog().getByText('Recording …').waitFor();
    expect(await button('Cancel').isDisabled()).toBe(true);
    await visit.page.keyboard.press('Escape');
    answer();
    await dialog().getByText('Not now.').waitFor();
    await visit.page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });

  it('returns the focus to the button that opened it', async () => {
    await visit.openWhole('/webhooks');
    await button('Create an endpoint …').click();
    await dialog().getByLabel('URL').fill('http://127.0.0.1:9/focus');
    await dialog().getByRole('button', { name: 'Create', exact: true }).click();
    await visit.page.locator('.secret').waitFor();
    await button('Create an endpoint …').and(visit.page.locator(':focus')).waitFor();
  });
});

describe('the erasure dialog', () => {
  it.each(['two\nlines', 'two  spaces', ' before', 'a\u200bb'])(
    'accepts the id %j as it is displayed for confirmation',
    async (id) => {
      await record({ id });
      await visit.openWhole(`/users/${encodeURIComponent(id)}`);
      await button('Erase …').click();
      await dialog().getByRole('row').nth(1).waitFor();
      await dialog()
        .getByLabel(/^Reason/)
        .fill('As requested.');
      const shown = await dialog().locator('label code').innerText();
      expect([shown, await button('Erase for good').isEnabled()]).toEqual([id, false]);
      await dialog()
        .getByLabel(/^Type the id/)
        .fill(shown);
      expect(await button('Erase for good').isEnabled()).toBe(true);
    },
  );
});

describe('the keyboard focus', () => {
  it('moves to the end of the list when nothing follows', async () => {
    const user = (id: string) => ({
      ...{ id, name: null, email: null, tz: 'UTC', created: '2026-01-01T00:00:00.000Z' },
      ...{ subscribeToEmails: true, starts: null },
    });
    await visit.page.route(at('/admin/v1/users'), (route) => {
      const isFirst = !new URL(route.request().url()).searchParams.has('cursor');
      return route.fulfill({ json: { users: [user(isFirst ? 'a' : 'b')], next: isFirst ? 'c' : null } });
    });
    await visit.openWhole('/users');
    await visit.enterBy(button('Show more'));
    await visit.page.getByText('Nothing more to show.').and(visit.page.locator(':focus')).waitFor();
  });

  it('moves to the answer of “Why not?”', async () => {
    await visit.openWhole('/users/ada');
    await visit.enterBy(visit.page.getByRole('button', { name: /^Why not\?/ }).first());
    await visit.page.locator('[role=status]:focus').getByText(/./).waitFor();
  });

  it('stays on the button that plans', async () => {
    await visit.openWhole('/configuration');
    await button('Plan').focus();
    await visit.page.keyboard.press('Enter');
    await visit.shows('nothing would change');
    await button('Plan').and(visit.page.locator(':focus')).waitFor();
  });
});
