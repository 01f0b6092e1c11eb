import { askingBy, describeWebhooks, startBrowser, Visit } from '@laurel/testing/console';
import { caughtUp, startTestTopology, type Topology } from '@laurel/testing/distributed';
import { HTTP_SUITE_CONFIGURATION } from '@laurel/testing/http-suite';
import type { Browser } from 'playwright-core';

const ALL_AREAS = 'users,streaks,achievements,points,leaderboards';

describe('the console of a distributed topology with an outgoing service', () => {
  let topology: Topology;
  let browser: Browser;
  let visit: Visit;

  beforeAll(async () => {
    topology = await startTestTopology({
      ...{ configuration: HTTP_SUITE_CONFIGURATION, steps: [ALL_AREAS], outgoing: true },
      environment: { LAUREL_WEBHOOK_ALLOW: '127.0.0.1' },
    });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await topology?.stop();
  });
  beforeEach(async () => {
    visit = await Visit.begin(browser, topology.url);
    await visit.signIn(topology.apiKey);
  });
  afterEach(async () => {
    expect(visit.complaints()).toEqual([]);
    await visit.end();
  });

  const ask = askingBy(() => ({ baseUrl: topology.url, apiKey: topology.apiKey }));

  it('links to the webhooks page, which has no endpoints yet', async () => {
    await visit.page.getByRole('link', { name: 'Webhooks' }).click();
    await visit.shows('No endpoints yet');
    await visit.picture('webhooks-empty-distributed');
    expect(await visit.violations()).toEqual([]);
    expect(new URL(visit.page.url()).pathname).toBe('/console/webhooks');
  });

  describeWebhooks({ visit: () => visit, ask, settled: () => caughtUp(topology) });
});
