import { consoleSuite, type Visit } from '@laurel/testing/console';
import { HTTP_SUITE_CONFIGURATION } from '@laurel/testing/http-suite';
import { serveInProcess } from './testing/serve-in-process.ts';

const suite = consoleSuite((connection) => serveInProcess(connection, HTTP_SUITE_CONFIGURATION));
const { ask } = suite;
let visit: Visit;
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

describe('a link', () => {
  it('signs in where it is pasted into a tab that shows the console', async () => {
    const link = await newLink();
    await visit.open('');
    await visit.shows('Sign in to Laurel');
    await visit.page.goto(`${visit.baseUrl}/console${link}`);
    await heading('Overview').waitFor();
    expect(new URL(visit.page.url()).hash).toBe('');
  });
});
