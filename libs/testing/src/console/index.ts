export { askingBy, type Ask } from './ask.ts';
export { consoleSuite } from './console-suite.ts';
export { describeUserPage, type ConsoleUnderTest } from './describe-user-page.ts';
export { describeWebhooks } from './describe-webhooks.ts';
export { HOSTILE_CONFIGURATION, HOSTILE_NAMES, HOSTILE_NOTES } from './hostile-names.ts';
export { createKey, openDraft, plan, publish, revokeKey, showsEachOnce, signOut } from './journeys.ts';
export { Keyboard } from './keyboard.ts';
export { PAGES, USER, type ConsolePage, type Named } from './pages.ts';
export { startBrowser, Visit } from './visit.ts';
