import {
  createKey,
  openDraft,
  PAGES,
  publish,
  revokeKey,
  signOut,
  startBrowser,
  USER,
  Visit,
} from '@laurel/testing/console';
import { caughtUp, eventually, startTestTopology, type Topology } from '@laurel/testing/distributed';
import { HTTP_SUITE_CONFIGURATION, type Json } from '@laurel/testing/http-suite';
import type { Browser, Response } from 'playwright-core';

const ALL_AREAS = 'users,streaks,achievements,points,leaderboards';
const WITH_KEY = (topology: Topology) => ({ 'x-api-key': topology.apiKey, 'content-type': 'application/json' });

describe('the console of a distributed topology', () => {
  let topology: Topology;
  let browser: Browser;
  let visit: Visit;

  beforeAll(async () => {
    topology = await startTestTopology({ configuration: HTTP_SUITE_CONFIGURATION, steps: [ALL_AREAS] });
    const answer = await fetch(`${topology.url}/v1/metrics/lessons/event`, {
      ...{ method: 'POST', headers: WITH_KEY(topology) },
      body: JSON.stringify({ user: { id: USER, name: 'Mary' }, value: 3 }),
    });
    expect(answer.status).toBe(201);
    await caughtUp(topology);
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
    await visit.end();
  });

  it('lets in and out', async () => {
    await signOut(visit);
    expect(await visit.context.cookies()).toEqual([]);
  });

  it('shows every page, and why a part is missing that needs one process', async () => {
    const reasons = new Set<string>();
    for (const [name, { path, withoutFeed }] of Object.entries(PAGES)) {
      const refused: Promise<Json | null>[] = [];
      // The browser drops what was answered to a page that was left.
      const listen = (response: Response) => {
        if (response.status() >= 400) refused.push((response.json() as Promise<Json>).catch(() => null));
      };
      visit.page.on('response', listen);
      await visit.openWhole(path);
      visit.page.off('response', listen);
      for (const answer of await Promise.all(refused)) {
        if (answer === null) continue;
        const { code, detail } = answer;
        expect([name, code]).toEqual([name, 'not_in_this_topology']);
        if (withoutFeed) continue;
        await visit.shows(String(detail));
        reasons.add(name);
      }
      await visit.picture(`${name}-distributed`);
      expect([name, await visit.sideways(), await visit.violations()]).toEqual([name, 0, []]);
    }
    expect([...reasons]).toContain('overview');
    expect(visit.complaints().filter((text) => !text.includes('status of 422'))).toEqual([]);
  });

  it('publishes a configuration, which every service takes', async () => {
    const { write } = await openDraft(visit);
    await write(
      HTTP_SUITE_CONFIGURATION.replace('\nmetrics:', '\nmetrics:\n  - { key: from-the-console, name: Added here }'),
    );
    await publish(visit);
    await eventually(topology, 'the metric counts', async () => {
      const { status } = await fetch(`${topology.url}/v1/metrics/from-the-console/event`, {
        ...{ method: 'POST', headers: WITH_KEY(topology) },
        body: JSON.stringify({ user: { id: USER }, value: 1 }),
      });
      return status === 201;
    });
  });

  it('creates a key that works at once, and revokes it', async () => {
    const label = 'from the console';
    const key = await createKey(visit, label);
    const answers = (expected: number) => async () =>
      (await fetch(`${topology.url}/v1/achievements`, { headers: { 'x-api-key': key } })).status === expected;
    await eventually(topology, 'the key is known', answers(200));
    await revokeKey(visit, label);
    await eventually(topology, 'the key is refused', answers(401));
  });
});
