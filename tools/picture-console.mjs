// Takes the picture of the console that the README and the guide show, with the history of the demo under a clock that is set:
//
//   npm run build && node tools/picture-console.mjs [PATH-BEHIND-/console]
//
// It starts a service of its own, in a folder that it deletes, and needs the browser of the console's tests.
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { findBrowser, HOW_TO_INSTALL } from './browser.mjs';
import { withStandalone } from './with-standalone.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PICTURE = join(ROOT, 'docs/images/console.png');
const MOST_BYTES = 200_000;
/** The clock of docs/guides/tour.md. At this time the longest streak is still alive. */
const CLOCK = '2026-11-21T12:00:00Z';
const USER = '/users/demo-186';
const KEY = 'replace-me-0123456789abcdef';

const executablePath = findBrowser();
if (executablePath === null) throw new Error(`There is no browser. ${HOW_TO_INSTALL}`);
await withStandalone({ apiKey: KEY, variables: { LAUREL_CLOCK: CLOCK } }, async ({ url, env }) => {
  const demo = spawnSync(process.execPath, ['apps/cli/dist/main.js', 'demo'], { cwd: ROOT, env, encoding: 'utf8' });
  if (demo.status !== 0) throw new Error(`the demo was not recorded: ${demo.stderr}`);
  await takePicture(url, process.argv[2] ?? USER);
});
const { size } = statSync(PICTURE);
if (size > MOST_BYTES) throw new Error(`the picture has ${size} bytes, more than ${MOST_BYTES}`);
console.log(`${PICTURE}: ${size} bytes`);

async function takePicture(url, path) {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage({ colorScheme: 'light', viewport: { width: 1_280, height: 800 } });
    await page.clock.setFixedTime(CLOCK);
    await page.goto(`${url}/console${path}`);
    await page.getByLabel('API key').fill(KEY);
    await page.keyboard.press('Enter');
    await page.locator('#content h2').first().waitFor();
    await page.waitForSelector('.skeleton', { state: 'detached' });
    await page.screenshot({ path: PICTURE });
  } finally {
    await browser.close();
  }
}
