import { consoleSuite, type Visit } from '@laurel/testing/console';
import { HTTP_SUITE_CONFIGURATION } from '@laurel/testing/http-suite';
import { TEST_KEY, serveInProcess } from './testing/serve-in-process.ts';

const suite = consoleSuite((connection) => serveInProcess(connection, HTTP_SUITE_CONFIGURATION));
const { ask, record } = suite;
let visit: Visit;
const LOST = /may have been carried out anyway/;
const button = (name: string) => visit.page.getByRole('button', { name, exact: true });
const dialog = () => visit.page.getByRole('dialog');

/** The service does what the next request asks for, and its answer is lost on the way. */
const loseAnswer = (method: string, path: string): Promise<unknown> => {
  let isLost = false;
  return visit.page.route(
    (url) => url.pathname === path && !url.searchParams.has('preview'),
    async (route) => {
      if (isLost || route.request().method() !== method) return route.continue();
      isLost = true;
      await route.fetch();
      await route.abort();
    },
  );
};

beforeAll(() => record({ id: 'ada' }));
beforeEach(async () => {
  visit = await suite.visit();
  await visit.signIn(TEST_KEY);
});
afterEach(async () => {
  await visit.page.unrouteAll({ behavior: 'ignoreErrors' });
  await visit.end();
});

it('a key whose answer was lost is in the list', async () => {
  await visit.openWhole('/keys');
  await loseAnswer('POST', '/admin/v1/keys');
  await visit.page.getByLabel('Label', { exact: true }).fill('unseen');
  await button('Create key').click();
  await visit.page.getByRole('alert').getByText(LOST).waitFor();
  await visit.page.getByRole('row', { name: /^unseen/ }).waitFor();
});

it('a grant whose answer was lost is among the points behind its dialog', async () => {
  const total = async () => Number((await ask('GET', '/admin/v1/users/ada')).points[0].total);
  const before = await total();
  await visit.openWhole('/users/ada');
  await button('Grant …').click();
  await dialog()
    .getByLabel(/^Points \(/)
    .fill('7');
  await dialog()
    .getByLabel(/^Reason/)
    .fill('Because.');
  await loseAnswer('POST', '/admin/v1/users/ada/grants/points');
  await dialog().getByRole('button', { name: 'Grant', exact: true }).click();
  await dialog().getByRole('alert').getByText(LOST).waitFor();
  await button('Cancel').click();
  await visit.page
    .locator('.figure strong')
    .getByText(String(before + 7), { exact: true })
    .first()
    .waitFor();
  expect(await total()).toBe(before + 7);
});

it('an erasure whose answer was lost is known to be done when it is tried again', async () => {
  await record({ id: 'gone' });
  await visit.openWhole('/users/gone');
  await button('Erase …').click();
  await dialog().getByRole('row').nth(1).waitFor();
  await dialog()
    .getByLabel(/^Reason/)
    .fill('As requested.');
  await dialog()
    .getByLabel(/^Type the id/)
    .fill('gone');
  await loseAnswer('DELETE', '/admin/v1/users/gone');
  await button('Erase for good').click();
  await dialog().getByRole('alert').getByText(LOST).waitFor();
  await button('Erase for good').click();
  await dialog().getByRole('alert').getByText('The user was erased').waitFor();
});
