import { consoleSuite, signOut, type Visit } from '@laurel/testing/console';
import { HTTP_SUITE_CONFIGURATION } from '@laurel/testing/http-suite';
import { TEST_KEY, serveInProcess } from './testing/serve-in-process.ts';

const suite = consoleSuite((connection) => serveInProcess(connection, HTTP_SUITE_CONFIGURATION));
const { ask } = suite;
let visit: Visit;
const isSession = (url: URL) => url.pathname === '/console/session';
const heading = (name: string) => visit.page.getByRole('heading', { level: 1, name, exact: true });

/** The part of a link behind the address of the service. */
async function newLink(): Promise<string> {
  const { url } = await ask('POST', '/admin/v1/console-links', {});
  return new URL(url).hash;
}

beforeEach(async () => {
  visit = await suite.visit();
});
afterEach(async () => {
  await visit.page.unrouteAll({ behavior: 'ignoreErrors' });
  await visit.end();
});

describe('a sign-in link', () => {
  it('signs in when it is pasted into a tab that shows the console', async () => {
    const link = await newLink();
    await visit.open('');
    await visit.shows('Sign in to Laurel');
    await visit.page.goto(`${visit.baseUrl}/console${link}`);
    await heading('Overview').waitFor();
    expect(new URL(visit.page.url()).hash).toBe('');
  });

  it('works after the service did not answer at first', async () => {
    let isDown = true;
    await visit.page.route(isSession, (route) => (isDown ? route.abort() : route.continue()));
    await visit.open(await newLink());
    await visit.shows('Laurel does not answer');
    isDown = false;
    await visit.page.getByRole('button', { name: 'Try again' }).click();
    await heading('Overview').waitFor();
  });

  it('leaves no refusal behind once somebody has signed in', async () => {
    await visit.open(`#token=${'x'.repeat(43)}`);
    await visit.page.getByRole('alert').waitFor();
    await visit.page.fill('#key', TEST_KEY);
    await visit.page.keyboard.press('Enter');
    await visit.shows('Live events');
    await signOut(visit);
    expect(await visit.page.getByRole('alert').allTextContents()).toEqual([]);
  });
});

it('the console says that a session has ended', async () => {
  await visit.signIn(TEST_KEY);
  const sessions = (await ask('GET', '/admin/v1/console-sessions')) as readonly { readonly id: string }[];
  for (const { id } of sessions) await ask('DELETE', `/admin/v1/console-sessions/${id}`);
  // The page asks for the status again by itself.
  await heading('Sign in to Laurel').waitFor();
  expect(await visit.page.getByRole('alert').allTextContents()).toEqual(['Your session has ended. Sign in again.']);
});

it('the console says that a hanging service does not answer', async () => {
  await visit.page.route(isSession, () => undefined);
  await visit.open('');
  await visit.shows('Laurel does not answer');
});

describe('a second tab', () => {
  const begin = async (path: string, shown: string) => {
    await visit.signIn(TEST_KEY);
    const other = await visit.context.newPage();
    await other.goto(`${visit.baseUrl}/console${path}`);
    await other.getByText(shown).first().waitFor();
    return other;
  };

  it('shows the sign-in page after the user signed out in the first', async () => {
    const other = await begin('/keys', 'Create a key');
    await signOut(visit);
    await other.getByRole('heading', { level: 1, name: 'Sign in to Laurel' }).waitFor();
  });

  it('closes an open dialog when another user signs in', async () => {
    const { key } = await ask('POST', '/admin/v1/keys', { label: 'bob', scopes: ['read', 'admin'] });
    const other = await begin('/webhooks', 'Create an endpoint …');
    await other.getByRole('button', { name: 'Create an endpoint …' }).click();
    await other.getByRole('dialog').waitFor();
    await signOut(visit);
    await visit.page.fill('#key', key);
    await visit.page.keyboard.press('Enter');
    await visit.shows('Live events');
    await other.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    expect(await other.getByRole('dialog').count()).toBe(0);
  });
});
