// Measures how long after the answer to an event a page of the console shows it with what it caused: a standalone service in a folder
// of its own, the overview in a headless Chromium, one event after the other, each at another instant of the rounds of the feed.
// node bench/live-page.mjs [--events N]
import { cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { findBrowser, HOW_TO_INSTALL } from '../tools/browser.mjs';
import { withStandalone } from '../tools/with-standalone.mjs';

const KEY = 'a key for the benchmark, 24+ characters';
/** Not counted: the page, the service and its plans are cold. */
const BEFORE = 20;
/** Longer than a round of the feed, so that events come at all of its instants. */
const LONGEST_PAUSE_MS = 700;

const { values } = parseArgs({ options: { events: { type: 'string', default: '200' } } });
const executablePath = findBrowser();
if (executablePath === null) throw new Error(`There is no browser. ${HOW_TO_INSTALL}`);
await withStandalone({ apiKey: KEY }, async ({ url }) => {
  console.log(
    `${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.versions.node}, load ${loadavg()[0].toFixed(1)}`,
  );
  report(await measure(url, Number(values.events)));
});

/** Milliseconds from the answer to the frame that shows the event, of each. */
async function measure(url, events) {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage({ viewport: { width: 1_280, height: 800 } });
    await page.goto(`${url}/console`);
    await page.getByLabel('API key').fill(KEY);
    await page.keyboard.press('Enter');
    await page.locator('.chip', { hasText: /^live$/ }).waitFor();
    const times = [];
    for (let n = 0; n < BEFORE + events; n++) {
      await sleep(Math.random() * LONGEST_PAUSE_MS);
      const id = `user-${n}`;
      await page.evaluate(watchFor, id);
      await record(url, id);
      const answeredAt = Date.now();
      times.push(Math.max(0, (await page.evaluate(() => globalThis.appeared)) - answeredAt));
    }
    return times.slice(BEFORE);
  } finally {
    await browser.close();
  }
}

/** The first event of a user: the feed shows with it that the user was created, an achievement and points. */
async function record(url, id) {
  const response = await fetch(`${url}/v1/metrics/lessons/event`, {
    method: 'POST',
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ user: { id, tz: 'Europe/London' }, value: 1 }),
  });
  const answer = await response.text();
  if (response.status !== 201) throw new Error(`${response.status}: ${answer}`);
}

/** In the page: notes when the newest row of the feed is the user's, with what the event caused, in the frame after. */
function watchFor(id) {
  const { document, MutationObserver, requestAnimationFrame } = globalThis;
  globalThis.appeared = new Promise((resolve) => {
    const watched = new MutationObserver(() => {
      const newest = document.querySelector('.live > li');
      if (newest?.querySelector('a')?.textContent !== id || newest.querySelector('.chip') === null) return;
      watched.disconnect();
      requestAnimationFrame(() => resolve(Date.now()));
    });
    watched.observe(document.body, { childList: true, subtree: true, characterData: true });
  });
}

function report(times) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.ceil(share * sorted.length) - 1];
  console.log(
    `${sorted.length} events, from the answer to the page: median ${at(0.5)} ms, p99 ${at(0.99)} ms, most ${at(1)} ms`,
  );
}
