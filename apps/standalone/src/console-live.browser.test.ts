import { consoleSuite, type Visit } from '@laurel/testing/console';
import { HTTP_SUITE_CONFIGURATION, type Json } from '@laurel/testing/http-suite';
import { TEST_KEY, serveInProcess } from './testing/serve-in-process.ts';

const suite = consoleSuite((connection) => serveInProcess(connection, HTTP_SUITE_CONFIGURATION));
const { ask, record } = suite;
let visit: Visit;
const GAP = 'event: resync\ndata: {}\n\n';

const isFeed = (url: URL) => url.pathname === '/admin/v1/live';
const message = (...events: readonly Json[]) => `event: events\ndata: ${JSON.stringify({ events, skipped: 0 })}\n\n`;
const rows = () => visit.page.locator('.live > li');

/** The feed says each of these, one connection after the other; the last one again and again. @param ready when each connection may be answered */
async function feeds(...bodies: readonly (readonly [body: string, ready?: Promise<void>])[]): Promise<void> {
  let connections = 0;
  await visit.page.route(isFeed, async (route) => {
    const [body, ready] = bodies[Math.min(connections++, bodies.length - 1)] ?? [''];
    await ready;
    await route.fulfill({ status: 200, contentType: 'text/event-stream', body });
  });
  await visit.page.reload();
}

beforeAll(() => record({ id: 'ada' }));
beforeEach(async () => {
  visit = await suite.visit();
  await visit.signIn(TEST_KEY);
});
afterEach(async () => {
  await visit.page.unrouteAll({ behavior: 'ignoreErrors' });
  await visit.end();
});

describe('the live feed after a lost connection', () => {
  it('does not say that there are no events', async () => {
    await feeds([GAP]);
    await visit.shows('The connection was lost for a while.');
    expect(await visit.page.getByText('No events yet').count()).toBe(0);
  });

  it('does not change while it is paused', async () => {
    const { events } = await ask('GET', '/admin/v1/users/ada/events');
    const [event] = events as readonly [Json];
    let lose: () => void = () => undefined;
    const lost = new Promise<void>((resolve) => (lose = resolve));
    const before = message({ ...event, userId: 'ada' });
    const after = message({ ...event, id: `${event.id}-later`, userId: 'grace' });
    await feeds([before], [GAP + after, lost], ['', new Promise(() => undefined)]);
    await rows().getByText('ada', { exact: true }).waitFor();
    await visit.page.getByRole('button', { name: 'Pause' }).click();
    lose();
    await visit.shows('The connection was lost for a while.');
    const resume = visit.page.getByRole('button', { name: 'Resume (1)' });
    await resume.waitFor();
    expect(await rows().locator('a').allTextContents()).toEqual(['ada']);
    await resume.click();
    await rows().getByText('grace', { exact: true }).waitFor();
    expect(await rows().locator('a').allTextContents()).toEqual(['grace']);
  });
});

it('the age of an event keeps counting while nothing else happens', async () => {
  const { key } = await ask('POST', '/admin/v1/keys', { label: 'reader', scopes: ['read'] });
  await visit.end();
  visit = await suite.visit();
  await visit.page.clock.install();
  await visit.signIn(key);
  await record({ id: 'fresh' });
  const when = rows().filter({ hasText: 'fresh' }).locator('time').first();
  await when.waitFor();
  await visit.page.clock.runFor(30_000);
  await when.and(visit.page.getByText(/^[2-5]\d seconds ago$/)).waitFor();
});
