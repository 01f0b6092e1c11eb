// Installs Chromium for the tests of the console, if it is missing and apt-get can install it: node
// tools/ensure-browser.mjs The exit code is 1 if there is none afterwards.
import { spawnSync } from 'node:child_process';
import { findBrowser, HOW_TO_INSTALL } from './browser.mjs';

const aptGet = (...words) =>
  spawnSync('apt-get', words, { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
    .status === 0;

if (findBrowser() === null && aptGet('--quiet', 'update'))
  aptGet('--quiet', '--yes', '--no-install-recommends', 'install', 'chromium-headless-shell');
const browser = findBrowser();
console.log(browser === null ? `There is no browser. ${HOW_TO_INSTALL}` : `The browser is ${browser}.`);
process.exitCode = browser === null ? 1 : 0;
