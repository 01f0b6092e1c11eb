import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBrowser, Visit } from '@laurel/testing/console';
import type { Browser } from 'playwright-core';
import { startLaurel, startServiceProcess, type ServiceProcess } from './testing/processes.ts';

/** Of a message of the feed: it shows all that the demo records here, however fast that comes. */
const MOST_EVENTS = 50;

describe('a first start, `laurel console` and the demo', () => {
  let folder: string;
  let service: ServiceProcess | null = null;
  let browser: Browser;
  let visit: Visit | null = null;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'laurel-first-'));
    // As root, the database runs as another user, who must be able to pass through.
    await chmod(folder, 0o755);
    browser = await startBrowser();
  });
  afterAll(async () => {
    await visit?.end();
    await browser?.close();
    await service?.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  });

  it('show the events of the demo as they come and the effects of one’s own event', async () => {
    const variables = { LAUREL_DATA_DIR: join(folder, 'data') };
    service = await startServiceProcess(variables);
    const [, curl = '', key = '', body = ''] =
      /^curl (\S+) -H "X-API-KEY: (\S+)".* -d '(.*)'$/m.exec(service.banner) ?? [];
    const printed = await startLaurel(['console'], variables).ended;
    expect([printed.exitCode, printed.stdout]).toEqual([0, expect.stringMatching(/#token=/)]);
    const link = printed.stdout.trim();

    visit = await Visit.begin(browser, new URL(link).origin);
    await visit.page.goto(link);
    await visit.page.locator('.chip', { hasText: /^live$/ }).waitFor();
    await visit.shows('No events yet');
    const rows = visit.page.locator('.live > li');

    const demo = startLaurel(['demo', '--users', '3', '--days', '5'], variables);
    await rows.first().waitFor();
    const { exitCode, stdout } = await demo.ended;
    const recorded = Number(/(\d+) recorded/.exec(stdout)?.[1]);
    expect(exitCode).toBe(0);
    expect(recorded).toBeGreaterThan(0);
    expect(recorded).toBeLessThanOrEqual(MOST_EVENTS);
    await rows.nth(recorded - 1).waitFor();
    expect(await rows.count()).toBe(recorded);
    expect(await visit.page.getByText('came too fast to show').count()).toBe(0);

    const { user } = JSON.parse(body) as { readonly user: { readonly id: string } };
    await visit.evaluate(watchFor(user.id));
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const answer = await fetch(curl, { method: 'POST', headers, body });
    const answeredAt = Date.now();
    expect(answer.status).toBe(201);
    const appearedAt = Number(await visit.evaluate('globalThis.appeared'));
    // For who reads the log of the test; the guide names the command that measures it.
    console.log(`on the page ${appearedAt - answeredAt} ms after the answer`);

    const { achievements, points } = (await answer.json()) as Caused;
    const chips = await rows.first().locator('.chip').allTextContents();
    expect(await rows.first().getByRole('link').textContent()).toBe(user.id);
    expect([achievements, points]).not.toEqual([[], {}]);
    for (const caused of [...achievements, ...Object.values(points)].map(({ name }) => name))
      expect(chips).toContainEqual(expect.stringContaining(caused));
    expect(visit.complaints()).toEqual([]);
  });
});

interface Caused {
  readonly achievements: readonly { readonly name: string }[];
  readonly points: Readonly<Record<string, { readonly name: string }>>;
}

/** Notes when the feed first shows an event of the user, in the frame after. */
const watchFor = (userId: string): string => `globalThis.appeared = new Promise((resolve) => {
  const watched = new MutationObserver(() => {
    if (document.querySelector('.live > li a')?.textContent !== ${JSON.stringify(userId)}) return;
    watched.disconnect();
    requestAnimationFrame(() => resolve(Date.now()));
  });
  watched.observe(document.body, { childList: true, subtree: true, characterData: true });
}); undefined`;
