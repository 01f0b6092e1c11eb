import { existsSync } from 'node:fs';

/** Where Debian and other distributions install Chromium. */
const BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome'];

export const HOW_TO_INSTALL =
  'On Debian, install the package chromium-headless-shell; elsewhere, name a Chromium in LAUREL_CHROMIUM.';

/** @returns {string | null} the path of a Chromium, or null if none is found */
export const findBrowser = () => process.env.LAUREL_CHROMIUM ?? BROWSERS.find((path) => existsSync(path)) ?? null;
